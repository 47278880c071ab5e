/**
 * Loaded into wrangler before itself: ends its whole process group when the script that started it is gone, even
 * if that script was killed and could not say so. The channel between the two closes then.
 */
process.on("disconnect", () => {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    // wrangler's own child loads this too, and leads no group; the first one ends it.
  }
});
