/** Body of a request that begins the upload of a logo. Tests need not send the bytes. */
export const LOGO_UPLOAD = {
  slotId: "logo",
  fileName: "logo.png",
  mimeType: "image/png",
  byteLength: 100,
  width: 512,
  height: 512,
};
