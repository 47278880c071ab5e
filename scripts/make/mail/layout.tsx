import { Body } from "@react-email/body";
import { Button } from "@react-email/button";
import { Container } from "@react-email/container";
import { Head } from "@react-email/head";
import { Heading } from "@react-email/heading";
import { Html } from "@react-email/html";
import { Link } from "@react-email/link";
import { Preview } from "@react-email/preview";
import { Section } from "@react-email/section";
import { Text } from "@react-email/text";
import type { MailLanguage } from "#api/mail-rules.ts";
import { DARK_RULES, LIGHT } from "./colours.ts";
import type { MailWords } from "./words.ts";

/**
 * Layout of every email: one column, one button, no pictures. Colours are inline, because many mail programs drop style
 * sheets.
 */

const FONT = "Inter, -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const LINK = "{{link}}";

const text = { margin: "0 0 16px", fontSize: "16px", lineHeight: "25px", color: LIGHT.ink };
const small = { margin: "0 0 8px", fontSize: "13px", lineHeight: "20px", color: LIGHT.quiet };

interface MailProps {
  readonly language: MailLanguage;
  readonly words: MailWords;
  readonly addressOfButton: string;
}

export const Mail = ({ language, words, addressOfButton }: MailProps) => (
  <Html lang={language}>
    <Head>
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <title>{words.subject}</title>
      <style>{DARK_RULES}</style>
    </Head>
    <Body className="paper" style={{ margin: 0, backgroundColor: LIGHT.paper, fontFamily: FONT }}>
      <Preview>{words.preview}</Preview>
      <Container style={{ maxWidth: "560px", margin: "0 auto", padding: "32px 16px 40px" }}>
        <Text
          className="accent"
          style={{ ...text, padding: "0 8px", fontSize: "15px", fontWeight: 700, color: LIGHT.accent }}
        >
          Creative Packs
        </Text>
        <Section
          className="card"
          style={{
            padding: "32px 24px 16px",
            backgroundColor: LIGHT.card,
            border: `1px solid ${LIGHT.line}`,
            borderRadius: "14px",
          }}
        >
          <Heading
            as="h1"
            className="ink"
            style={{ margin: "0 0 20px", fontSize: "24px", lineHeight: "31px", color: LIGHT.ink }}
          >
            {words.heading}
          </Heading>
          {words.paragraphs.map((paragraph) => (
            <Text key={paragraph} className="ink" style={text}>
              {paragraph}
            </Text>
          ))}
          {words.quote === undefined ? null : <Quote quote={words.quote} />}
          {words.rows === undefined ? null : <Rows rows={words.rows} />}
          {words.button === undefined ? null : <ButtonWithAddress {...{ words, addressOfButton }} />}
        </Section>
        <Text className="quiet" style={{ ...small, margin: "20px 0 0", padding: "0 8px" }}>
          {words.why}
        </Text>
      </Container>
    </Body>
  </Html>
);

const Quote = ({ quote }: { readonly quote: string }) => (
  <Section
    className="sunk"
    style={{ margin: "0 0 20px", padding: "14px 18px", backgroundColor: LIGHT.sunk, borderRadius: "10px" }}
  >
    <Text className="ink" style={{ ...text, margin: 0, overflowWrap: "anywhere" }}>
      {quote}
    </Text>
  </Section>
);

/** Lines of a label and a value. Not a table: in the text part, each needs its own line. */
const Rows = ({ rows }: Required<Pick<MailWords, "rows">>) => (
  <Section style={{ margin: "0 0 20px" }}>
    {rows.map(({ label, value }) => (
      <Text
        key={label}
        className="ink line"
        style={{
          ...text,
          margin: 0,
          padding: "9px 0",
          borderBottom: `1px solid ${LIGHT.line}`,
          overflowWrap: "anywhere",
        }}
      >
        <span className="quiet" style={{ color: LIGHT.quiet }}>
          {`${label}:`}
        </span>
        {` ${value}`}
      </Text>
    ))}
  </Section>
);

const ButtonWithAddress = ({
  words,
  addressOfButton,
}: {
  readonly words: MailWords;
  readonly addressOfButton: string;
}) => (
  <>
    <Section style={{ margin: "4px 0 24px" }}>
      <Button
        href={LINK}
        className="button"
        style={{
          padding: "13px 22px",
          borderRadius: "10px",
          backgroundColor: LIGHT.accent,
          color: LIGHT.onAccent,
          fontSize: "16px",
          fontWeight: 600,
        }}
      >
        {words.button}
      </Button>
    </Section>
    {words.note === undefined ? null : (
      <Text className="quiet" style={{ ...small, fontSize: "14px" }}>
        {words.note}
      </Text>
    )}
    {/* Left out of the text part, where the button's link is shown. */}
    <Text className="quiet" data-skip-in-text="true" style={{ ...small, overflowWrap: "anywhere" }}>
      {addressOfButton}
      <br />
      <Link href={LINK} className="accent" style={{ color: LIGHT.accent, textDecoration: "none" }}>
        {LINK}
      </Link>
    </Text>
  </>
);
