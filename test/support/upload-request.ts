/** A request that begins an upload of a logo, whose bytes need not be sent. */
export const LOGO_UPLOAD = {
  slotId: "logo",
  fileName: "logo.png",
  mimeType: "image/png",
  byteLength: 100,
  width: 512,
  height: 512,
};
