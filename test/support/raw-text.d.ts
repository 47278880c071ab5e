/** A file's text, as vite imports it. */
declare module "*.md?raw" {
  const text: string;
  export default text;
}
