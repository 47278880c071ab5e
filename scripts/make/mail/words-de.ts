import type { LanguageWords } from "./words.ts";

const OWNER = "Sie erhalten diese E-Mail, weil Ihnen der Workspace gehört.";
const ACCOUNT = "Sie erhalten diese E-Mail, weil es um die Sicherheit Ihres Kontos bei Creative Packs geht.";
const UNTIL = "Der Link gilt einmal, bis {{until}}.";

const receipt = (bought: string) => ({
  subject: "Beleg über {{amount}}: {{credits}}",
  preview: "Vielen Dank. Ihre Zahlung ist eingegangen.",
  heading: "Vielen Dank für Ihre Zahlung",
  paragraphs: [bought],
  rows: [
    { label: "Betrag", value: "{{amount}}" },
    { label: "Für", value: "{{credits}}" },
    { label: "Bezahlt", value: "{{paidAt}}" },
    { label: "Zahlung", value: "{{paymentId}}" },
  ],
  button: "Beleg ansehen",
  why: "Sie erhalten diese E-Mail, weil Ihnen der Workspace gehört, der bezahlt hat.",
});

const changesRequested = {
  subject: "{{visitorName}} bittet um Änderungen an „{{shareName}}“",
  preview: "Die Kommentare finden Sie auf der Seite des Pakets.",
  heading: "Änderungen an „{{shareName}}“",
  paragraphs: [
    "{{visitorName}} hat das Paket über Ihren Link angesehen und bittet um Änderungen. Die Kommentare finden Sie auf der Seite des Pakets.",
  ],
  button: "Kommentare lesen",
  note: "Besucher geben ihren Namen selbst ein; wir prüfen ihn nicht.",
  why: "Sie erhalten diese E-Mail, weil Sie das Paket geteilt haben.",
};

const asked = {
  subject: "{{senderName}} bittet Sie um Ihr Urteil zu „{{packName}}“",
  preview:
    "Sehen Sie die Anzeigen an, kommentieren Sie sie, und geben Sie sie frei oder bitten Sie um Änderungen.",
  heading: "Bitte sehen Sie „{{packName}}“ an",
  paragraphs: [
    "{{senderName}} hat diese Anzeigen mit Creative Packs gemacht und fragt, was Sie davon halten. Sie können jede Datei kommentieren, das Paket freigeben oder um Änderungen bitten. Ein Konto brauchen Sie nicht.",
  ],
  button: "Paket ansehen",
  note: "Der Link gilt bis {{until}}. Wer ihn hat, kann ansehen und kommentieren; geben Sie ihn mit Bedacht weiter.",
  why: "Sie erhalten diese E-Mail, weil {{senderName}} Ihre Adresse eingetragen hat. Kennen Sie den Namen nicht, ignorieren Sie sie; mehr wird nicht gesendet.",
};

/** German. */
export const WORDS_DE: LanguageWords = {
  addressOfButton: "Falls die Schaltfläche nicht geht, öffnen Sie diese Adresse:",
  phrases: {
    creditOne: "{{count}} Credit",
    creditOther: "{{count}} Credits",
    more: "und {{count}} weitere",
    unnamedPack: "Ihr Paket",
    declines: {
      card_declined: "Die Bank hat die Karte abgelehnt.",
      expired_card: "Die Karte ist abgelaufen.",
      insufficient_funds: "Das Konto der Karte ist nicht gedeckt.",
      authentication_required: "Die Bank möchte, dass Sie die Zahlung selbst bestätigen.",
      other: "Die Zahlung ist nicht gelungen.",
    },
  },
  mails: {
    "confirm-address": {
      subject: "Bestätigen Sie Ihre Adresse",
      preview: "Ein Klick, und Ihr Konto ist vollständig.",
      heading: "Bestätigen Sie Ihre Adresse",
      paragraphs: [
        "Guten Tag {{name}},",
        "bitte bestätigen Sie, dass dies Ihre Adresse ist. Danach können Sie Pakete bestellen, Credits kaufen und ein verlorenes Passwort zurücksetzen.",
      ],
      button: "Adresse bestätigen",
      note: UNTIL,
      why: "Sie erhalten diese E-Mail, weil jemand diese Adresse bei Creative Packs eingetragen hat. Waren Sie es nicht, ignorieren Sie sie; es geschieht nichts.",
    },
    "new-device": {
      subject: "Neue Anmeldung in Ihrem Konto",
      preview: "Jemand hat sich mit einem Gerät angemeldet, das wir noch nicht kennen.",
      heading: "Neue Anmeldung in Ihrem Konto",
      paragraphs: [
        "Guten Tag {{name}},",
        "jemand hat sich mit einem Gerät in Ihrem Konto angemeldet, das wir noch nicht kennen: {{moment}}.",
        "Waren Sie es, ist nichts zu tun. Wenn nicht, setzen Sie jetzt Ihr Passwort zurück; das beendet auch alle Sitzungen.",
      ],
      button: "Passwort zurücksetzen",
      why: ACCOUNT,
    },
    "reset-password": {
      subject: "Setzen Sie Ihr Passwort zurück",
      preview: "Wählen Sie ein neues Passwort.",
      heading: "Setzen Sie Ihr Passwort zurück",
      paragraphs: [
        "Guten Tag {{name}},",
        "Sie können jetzt ein neues Passwort wählen. Dabei enden alle Ihre Sitzungen, und Sie melden sich neu an.",
      ],
      button: "Neues Passwort wählen",
      note: UNTIL,
      why: "Sie erhalten diese E-Mail, weil jemand um ein neues Passwort gebeten hat. Waren Sie es nicht, ignorieren Sie sie; Ihr Passwort bleibt, wie es ist.",
    },
    "address-changed": {
      subject: "Die Adresse Ihres Kontos wurde geändert",
      preview: "Ab jetzt gehen E-Mails an eine andere Adresse.",
      heading: "Die Adresse Ihres Kontos wurde geändert",
      paragraphs: [
        "Guten Tag {{name}},",
        "ab jetzt melden Sie sich mit {{newAddress}} an, und alle E-Mails gehen dorthin. Dies ist die letzte an Ihre alte Adresse.",
        "Haben Sie das nicht geändert, kennt jemand anderes Ihr Passwort. Schreiben Sie sofort dem Betreiber dieses Dienstes.",
      ],
      why: ACCOUNT,
    },
    invitation: {
      subject: "{{inviterName}} lädt Sie zu „{{workspaceName}}“ ein",
      preview: "Treten Sie dem Workspace bei Creative Packs bei.",
      heading: "Treten Sie „{{workspaceName}}“ bei",
      paragraphs: [
        "{{inviterName}} lädt Sie in einen Workspace bei Creative Packs ein. Seine Mitglieder machen aus einem Bild Anzeigen in allen Formaten und sehen die Pakete der anderen.",
      ],
      button: "Einladung annehmen",
      note: UNTIL,
      why: "Sie erhalten diese E-Mail, weil {{inviterName}} Ihre Adresse eingetragen hat. Kennen Sie den Namen nicht, ignorieren Sie sie; mehr wird nicht gesendet.",
    },
    "balance-low": {
      subject: "Noch {{credits}}",
      preview: "Das Guthaben Ihres Workspace liegt unter {{mark}}.",
      heading: "Noch {{credits}}",
      paragraphs: [
        "Das Guthaben Ihres Workspace ist unter {{mark}} gefallen. Ist es verbraucht, können keine Pakete mehr bestellt werden.",
      ],
      button: "Credits kaufen",
      why: `${OWNER} Die Grenze ändern Sie auf der Seite für Zahlungen.`,
    },
    "top-up-failed": {
      subject: "Die automatische Aufladung ist gescheitert",
      preview: "Es wurden keine Credits gekauft. Bitte prüfen Sie, wie Sie bezahlen.",
      heading: "Die automatische Aufladung ist gescheitert",
      paragraphs: [
        "Für Ihren Workspace sollten {{credits}} gekauft werden, das ging nicht. {{reason}}",
        "Bitte prüfen Sie, wie Sie bezahlen, oder kaufen Sie Credits von Hand.",
      ],
      button: "Zahlung prüfen",
      why: OWNER,
    },
    "packs-failed.one": {
      subject: "Ein Paket ist gescheitert und wurde erstattet",
      preview: "{{credits}} sind zurück in Ihrem Workspace.",
      heading: "Ein Paket ist gescheitert und wurde erstattet",
      paragraphs: [
        "Es konnte in der Stunde bis {{moment}} nicht gemacht werden. Es hat nichts gekostet: Erstattet wurden {{credits}}.",
      ],
      quote: "{{packs}}",
      button: "Workspace öffnen",
      note: "Woran es lag, steht beim Paket. Manches geht vorüber: Vielleicht genügt es, noch einmal zu bestellen.",
      why: OWNER,
    },
    "packs-failed.other": {
      subject: "{{count}} Pakete sind gescheitert und wurden erstattet",
      preview: "{{credits}} sind zurück in Ihrem Workspace.",
      heading: "{{count}} Pakete sind gescheitert und wurden erstattet",
      paragraphs: [
        "Sie konnten in der Stunde bis {{moment}} nicht gemacht werden. Sie haben nichts gekostet: Erstattet wurden {{credits}}.",
      ],
      quote: "{{packs}}",
      button: "Workspace öffnen",
      note: "Woran es lag, steht bei jedem Paket. Manches geht vorüber: Vielleicht genügt es, noch einmal zu bestellen.",
      why: OWNER,
    },
    "receipt.credits": receipt("Sie haben Credits gekauft. Sie sind jetzt in Ihrem Workspace."),
    "receipt.top-up": receipt(
      "Das Guthaben Ihres Workspace fiel unter die Grenze, und er hat von selbst Credits gekauft, wie Sie es eingestellt haben.",
    ),
    "receipt.plan": receipt("Sie haben den nächsten Zeitraum Ihres Plans bezahlt."),
    "approval-asked": asked,
    "approval-asked.message": { ...asked, quote: "{{message}}" },
    "approval-given.approved": {
      subject: "{{visitorName}} hat „{{shareName}}“ freigegeben",
      preview: "Das Paket kann verwendet werden.",
      heading: "„{{shareName}}“ wurde freigegeben",
      paragraphs: ["{{visitorName}} hat das Paket über Ihren Link angesehen und freigegeben."],
      button: "Paket öffnen",
      note: "Besucher geben ihren Namen selbst ein; wir prüfen ihn nicht.",
      why: "Sie erhalten diese E-Mail, weil Sie das Paket geteilt haben.",
    },
    "approval-given.changes-requested": changesRequested,
    "approval-given.changes-requested.sizes": { ...changesRequested, quote: "{{sizes}}" },
  },
};
