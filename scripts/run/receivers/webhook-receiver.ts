import { Webhook } from "standardwebhooks";

/** A received message. */
export interface ReceivedMessage {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly text: string;
}

/** A message with a verified signature. */
export interface VerifiedMessage extends ReceivedMessage {
  // biome-ignore lint/suspicious/noExplicitAny: messages are read member by member, whatever they hold.
  readonly body: any;
}

export async function readMessage(request: Request): Promise<ReceivedMessage> {
  return {
    id: request.headers.get("webhook-id") ?? "",
    timestamp: request.headers.get("webhook-timestamp") ?? "",
    signature: request.headers.get("webhook-signature") ?? "",
    text: await request.text(),
  };
}

/** The message, verified by the library that receivers use. Throws if the signature is wrong. */
export function verifyMessage(secret: string, message: ReceivedMessage): VerifiedMessage {
  const body = new Webhook(secret).verify(message.text, {
    "webhook-id": message.id,
    "webhook-timestamp": message.timestamp,
    "webhook-signature": message.signature,
  });
  return { ...message, body };
}
