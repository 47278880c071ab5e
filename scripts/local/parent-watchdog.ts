/**
 * Preloaded into wrangler. Ends its process group when the starting script is gone, even if it was killed: the IPC
 * channel between them closes.
 */
process.on("disconnect", () => {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    // wrangler's child loads this too, but leads no group; its parent ends it.
  }
});
