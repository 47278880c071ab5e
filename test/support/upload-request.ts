/** The request that begins an upload of a logo, of bytes that need never be sent. */
export const LOGO_UPLOAD = {
  slotId: "logo",
  fileName: "logo.png",
  mimeType: "image/png",
  byteLength: 100,
  width: 512,
  height: 512,
};
