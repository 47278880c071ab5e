import { lazyRouteComponent } from "@tanstack/react-router";
import { ConnectionError } from "creative-packs";

/**
 * A page whose script comes when it is first opened. The router reloads the document for a script that is gone since a
 * deployment. Without a connection that would end in the browser's error page, so the app gets a `ConnectionError` instead.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      await fetch("/", { method: "HEAD", cache: "no-store" }).catch((cause: unknown) => {
        throw new ConnectionError("The page's script could not be loaded.", { cause });
      });
      throw error;
    }
  }, name);
