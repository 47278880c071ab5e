import { seedInvitation, seedPack, seedShare, seedWebhook } from "./seed.ts";
import { openSignedIn, openVisitor, type SignedIn, type Studio, type Visitor } from "./studio.ts";

/** Every page of the Studio, in a workspace that has been used for a while. */
export interface Pages {
  readonly known: SignedIn;
  /** A signed-out visitor, for the sign-in pages and shared packs. */
  readonly stranger: Visitor;
  /** Path of each page by name. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** Each page with a text that appears once it is complete, and who visits it. */
export const PAGES = [
  ["welcome", "One photo in. Every ad size out.", "stranger"],
  ["sign-in", "Continue with GitHub", "stranger"],
  ["sign-up", "Continue with GitHub", "stranger"],
  ["nowhere", "Page not found", "stranger"],
  ["share", "Open a picture and click the spot", "stranger"],
  ["invitation", "Join the workspace", "known"],
  ["create", "Meta feed", "known"],
  ["packs", "Files kept until", "known"],
  ["bulk", "Your packs will be listed here", "known"],
  ["pack", "Meta stories", "known"],
  ["brands", "No brands yet", "known"],
  ["usage", "For a pack", "known"],
  ["statement", "Statement for", "known"],
  ["billing", "Credits are not sold here", "known"],
  ["keys", "Seeded key", "known"],
  ["people", "Open invitations", "known"],
  ["audit", "Credits added", "known"],
  ["destinations", "hooks.example.com", "known"],
  ["settings", "Password", "known"],
] as const;

export async function seedPages(studio: Studio): Promise<Pages> {
  const [known, stranger] = await Promise.all([openSignedIn(studio, 100), openVisitor(studio)]);
  const { person } = known;
  const pack = await seedPack(studio, person);
  await seedWebhook(studio, person);
  const ofWorkspace = [
    "create",
    "packs",
    "bulk",
    "brands",
    "usage",
    "statement",
    "billing",
    "keys",
    "people",
    "audit",
    "destinations",
    "settings",
  ].map((name) => [name, `/w/${person.workspaceId}/${name}`] as const);
  const addresses = {
    ...Object.fromEntries(ofWorkspace),
    welcome: "/",
    "sign-in": "/sign-in",
    "sign-up": "/sign-up",
    nowhere: "/nowhere/at/all",
    pack: `/w/${person.workspaceId}/packs/${pack.artifactId}`,
    share: new URL((await seedShare(studio, pack)).url).pathname,
    invitation: `/invitation#${await seedInvitation(studio, person)}`,
  };
  return { known, stranger, addresses };
}

/** Opens a page and waits until it is complete. */
export async function openPage(pages: Pages, [name, text, who]: (typeof PAGES)[number]): Promise<Visitor> {
  const visitor = pages[who];
  await visitor.page.goto(pages.addresses[name] ?? "");
  await visitor.page.getByText(text).first().waitFor();
  return visitor;
}
