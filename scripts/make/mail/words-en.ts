import type { LanguageWords } from "./words.ts";

const OWNER = "You get this mail because you own the workspace.";
const ACCOUNT = "You get this mail because it concerns the security of your account at Creative Packs.";
const UNTIL = "The link works once, until {{until}}.";

const receipt = (bought: string) => ({
  subject: "Receipt for {{amount}}: {{credits}}",
  preview: "Thank you. Your payment was received.",
  heading: "Thank you for your payment",
  paragraphs: [bought],
  rows: [
    { label: "Amount", value: "{{amount}}" },
    { label: "For", value: "{{credits}}" },
    { label: "Paid", value: "{{paidAt}}" },
    { label: "Payment", value: "{{paymentId}}" },
  ],
  button: "See the receipt",
  why: "You get this mail because you own the workspace that paid.",
});

const changesRequested = {
  subject: "{{visitorName}} asks for changes to “{{shareName}}”",
  preview: "Their comments are on the pack’s page.",
  heading: "Changes to “{{shareName}}”",
  paragraphs: [
    "{{visitorName}} looked at the pack by your link and asks for changes. The comments are on the pack’s page.",
  ],
  button: "Read the comments",
  note: "Visitors enter their names themselves; we do not check them.",
  why: "You get this mail because you shared the pack.",
};

const asked = {
  subject: "{{senderName}} asks you to look at “{{packName}}”",
  preview: "Look at the ads, comment on them, and approve them or ask for changes.",
  heading: "Please look at “{{packName}}”",
  paragraphs: [
    "{{senderName}} made these ads with Creative Packs and asks what you think. You can comment on each file, approve the pack or ask for changes. You need no account.",
  ],
  button: "Look at the pack",
  note: "The link works until {{until}}. Whoever has it can look and comment, so pass it on with care.",
  why: "You get this mail because {{senderName}} entered your address. If you do not know them, ignore it; nothing else is sent.",
};

/** English. */
export const WORDS_EN: LanguageWords = {
  addressOfButton: "If the button does not work, open this address:",
  phrases: {
    creditOne: "{{count}} credit",
    creditOther: "{{count}} credits",
    more: "and {{count}} more",
    unnamedPack: "Your pack",
    declines: {
      card_declined: "The bank declined the card.",
      expired_card: "The card has expired.",
      insufficient_funds: "The account of the card has too little money.",
      authentication_required: "The bank wants you to confirm the payment yourself.",
      other: "The payment did not succeed.",
    },
  },
  mails: {
    "confirm-address": {
      subject: "Confirm your address",
      preview: "One press, and your account is complete.",
      heading: "Confirm your address",
      paragraphs: [
        "Hello {{name}},",
        "Please confirm that this is your address. Then you can order packs, buy credits and reset a lost password.",
      ],
      button: "Confirm the address",
      note: UNTIL,
      why: "You get this mail because somebody entered this address at Creative Packs. If it was not you, ignore it; nothing happens.",
    },
    "new-device": {
      subject: "New sign-in to your account",
      preview: "Somebody signed in on a device that we have not seen before.",
      heading: "New sign-in to your account",
      paragraphs: [
        "Hello {{name}},",
        "Somebody signed in to your account on a device that we have not seen before, on {{moment}}.",
        "If it was you, there is nothing to do. If not, reset your password now: that also ends all sessions.",
      ],
      button: "Reset the password",
      why: ACCOUNT,
    },
    "reset-password": {
      subject: "Reset your password",
      preview: "Choose a new password.",
      heading: "Reset your password",
      paragraphs: [
        "Hello {{name}},",
        "You can choose a new password now. All your sessions end when you do, and you sign in again.",
      ],
      button: "Choose a new password",
      note: UNTIL,
      why: "You get this mail because somebody asked for a new password. If it was not you, ignore it; your password stays as it is.",
    },
    "address-changed": {
      subject: "The address of your account was changed",
      preview: "From now on, mail goes to another address.",
      heading: "The address of your account was changed",
      paragraphs: [
        "Hello {{name}},",
        "From now on you sign in with {{newAddress}}, and all mail goes there. This is the last one to your old address.",
        "If you did not change it, somebody else has your password. Write to whoever runs this service at once.",
      ],
      why: ACCOUNT,
    },
    invitation: {
      subject: "{{inviterName}} invites you to “{{workspaceName}}”",
      preview: "Join the workspace at Creative Packs.",
      heading: "Join “{{workspaceName}}”",
      paragraphs: [
        "{{inviterName}} invites you to a workspace at Creative Packs. Its members make ads in all sizes from one picture, and see each other’s packs.",
      ],
      button: "Accept the invitation",
      note: UNTIL,
      why: "You get this mail because {{inviterName}} entered your address. If you do not know them, ignore it; nothing else is sent.",
    },
    "balance-low": {
      subject: "{{credits}} left",
      preview: "The balance of your workspace is below {{mark}}.",
      heading: "{{credits}} left",
      paragraphs: [
        "The balance of your workspace fell below {{mark}}. When it is used up, no more packs can be ordered.",
      ],
      button: "Buy credits",
      why: `${OWNER} You can change the mark on its billing page.`,
    },
    "top-up-failed": {
      subject: "The automatic top-up failed",
      preview: "No credits were bought. Please check how you pay.",
      heading: "The automatic top-up failed",
      paragraphs: [
        "{{credits}} were to be bought for your workspace, but were not. {{reason}}",
        "Please check how you pay, or buy credits by hand.",
      ],
      button: "Check the payment",
      why: OWNER,
    },
    "packs-failed.one": {
      subject: "A pack failed and was refunded",
      preview: "Its {{credits}} are back in your workspace.",
      heading: "A pack failed and was refunded",
      paragraphs: [
        "It could not be made in the hour up to {{moment}}. It cost nothing: {{credits}} came back.",
      ],
      quote: "{{packs}}",
      button: "Open the workspace",
      note: "What went wrong stands with the pack. Some failures pass: ordering it again may be enough.",
      why: OWNER,
    },
    "packs-failed.other": {
      subject: "{{count}} packs failed and were refunded",
      preview: "Their {{credits}} are back in your workspace.",
      heading: "{{count}} packs failed and were refunded",
      paragraphs: [
        "They could not be made in the hour up to {{moment}}. They cost nothing: {{credits}} came back.",
      ],
      quote: "{{packs}}",
      button: "Open the workspace",
      note: "What went wrong stands with each pack. Some failures pass: ordering them again may be enough.",
      why: OWNER,
    },
    "receipt.credits": receipt("You bought credits. They are in your workspace now."),
    "receipt.top-up": receipt(
      "Your workspace fell below its mark and bought credits by itself, as you had set it.",
    ),
    "receipt.plan": receipt("You paid for the next period of your plan."),
    "approval-asked": asked,
    "approval-asked.message": { ...asked, quote: "{{message}}" },
    "approval-given.approved": {
      subject: "{{visitorName}} approved “{{shareName}}”",
      preview: "The pack is ready to be used.",
      heading: "“{{shareName}}” was approved",
      paragraphs: ["{{visitorName}} looked at the pack by your link and approved it."],
      button: "Open the pack",
      note: "Visitors enter their names themselves; we do not check them.",
      why: "You get this mail because you shared the pack.",
    },
    "approval-given.changes-requested": changesRequested,
    "approval-given.changes-requested.sizes": { ...changesRequested, quote: "{{sizes}}" },
  },
};
