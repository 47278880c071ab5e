/** A file's text, imported by vite. */
declare module "*?raw" {
  const text: string;
  export default text;
}
