import { drawsAlikeAmongOthers, PACKS } from "./companions.ts";

drawsAlikeAmongOthers(Object.keys(PACKS).filter((name) => name !== "a photograph"));
