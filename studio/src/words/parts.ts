/** The words of each part of the Studio, by their English files: keys are checked against these. */
import type billing from "./en/billing.json";
import type common from "./en/common.json";
import type destinations from "./en/destinations.json";
import type editor from "./en/editor.json";
import type keys from "./en/keys.json";
import type packs from "./en/packs.json";
import type people from "./en/people.json";
import type session from "./en/session.json";
import type settings from "./en/settings.json";
import type share from "./en/share.json";
import type statement from "./en/statement.json";
import type usage from "./en/usage.json";
import type wall from "./en/wall.json";

export interface Parts {
  billing: typeof billing;
  common: typeof common;
  destinations: typeof destinations;
  editor: typeof editor;
  keys: typeof keys;
  packs: typeof packs;
  people: typeof people;
  session: typeof session;
  settings: typeof settings;
  share: typeof share;
  statement: typeof statement;
  usage: typeof usage;
  wall: typeof wall;
}

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    nsSeparator: false;
    resources: Parts;
  }
}
