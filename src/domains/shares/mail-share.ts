import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { MailLanguage } from "#api/mail-rules.ts";
import type { EncryptionKeys } from "#platform/crypto/sealed-secret.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import type { Principal } from "../keys/principal.ts";
import { keyRevoked } from "../keys/service.ts";
import { assertKeyActive } from "../keys/store.ts";
import { mailLimitReached, mailStatement, mailStatementWhere, sealLink } from "../mail/outbox.ts";
import { ownerByWorkspace, ownerUnconfirmed } from "../workspaces/confirmed-owner.ts";
import { contractOfArtifact, creatorOfShare, insertVerdictMail, senderOfKey } from "./mail-store.ts";
import { noShare } from "./share.ts";
import { type OpenShare, type Share, type ShareComment, type ShareId, sharesOfArtifact } from "./store.ts";

/** Mails about share links, to reviewers and to the links' creators. */

interface ShareMail {
  /** In lower case. */
  readonly email: string;
  readonly language: MailLanguage;
  readonly message: string | null;
}

export interface ShareMailDeps {
  readonly db: D1Database;
  readonly encryption: EncryptionKeys;
  /** The URL of a link's page. */
  readonly pageOf: (share: Share) => Promise<string>;
}

const linkEnded = () =>
  refuse("LINK_INVALID", "The link has ended.", { nextAction: "Make another link and mail that." });

/**
 * Mails an open link. 404 SHARE_NOT_FOUND, 403 LINK_INVALID for a revoked or expired link and EMAIL_NOT_CONFIRMED while
 * the workspace's owner has not confirmed their address, 429 MAIL_LIMIT_REACHED, 401 KEY_REVOKED.
 */
export async function mailShare(
  { db, encryption, pageOf }: ShareMailDeps,
  { workspaceId, apiKeyId }: Principal,
  id: ShareId,
  { email: address, language, message }: ShareMail,
  nowMs: number,
): Promise<Outcome<void>> {
  const session = latest(db);
  const [found, owner, sender, contract] = await session.batch([
    sharesOfArtifact.bind(session, id),
    ownerByWorkspace.bind(session, { workspaceId }),
    senderOfKey.bind(session, { apiKeyId }),
    contractOfArtifact.bind(session, { artifactId: id.artifactId }),
  ]);
  const share = sharesOfArtifact.row(found);
  if (share === null) return noShare();
  if (share.revokedAt !== null || share.expiresAt <= nowMs) return linkEnded();
  if (ownerByWorkspace.row(owner)?.isUnconfirmed === 1) return ownerUnconfirmed();
  const reference = `approval-asked:${newId()}`;
  const packName = share.name || (contractOfArtifact.row(contract)?.contractId ?? "");
  const senderName = senderOfKey.row(sender)?.name ?? "";
  const mail = mailStatement(db, {
    ...{ reference, kind: "approval-asked", address, language, nowMs, expiresAtMs: share.expiresAt },
    facts: { packName, senderName, message },
    sealed: await sealLink(encryption, reference, await pageOf(share)),
  });
  try {
    const [, sent] = await db.batch([assertKeyActive.bind(db, { workspaceId, apiKeyId }), mail]);
    return sent?.meta.changes === 1 ? accept(undefined) : mailLimitReached(address);
  } catch (thrown) {
    if (isGuardViolation(thrown, "key_active")) return keyRevoked();
    throw thrown;
  }
}

/** Lifetime of the mail about a verdict, which is still useful days later. */
const VERDICT_LIFETIME_MS = 3 * 86_400_000;

/** Statements that mail a verdict to the link's creator, for the verdict's batch; none without mail. */
export async function verdictMailStatements(
  db: D1Database,
  { shareId, files }: OpenShare,
  { commentId, name: visitorName, verdict, fileVerdicts, createdAt: nowMs }: ShareComment,
): Promise<readonly D1PreparedStatement[]> {
  if (verdict === null) return [];
  const maker = await creatorOfShare.first(latest(db), { shareId });
  if (maker === null) return [];
  const { email: address, language, workspaceId, artifactId, name: shareName } = maker;
  const sizes = files
    .filter(({ fileId }) => fileVerdicts[fileId] === "changes-requested")
    .map(({ sizeId, width, height }) => `${sizeId.replace(/-\d+x\d+$/, "")} ${width} × ${height}`);
  return [
    mailStatementWhere(db, insertVerdictMail, commentId, {
      ...{ reference: `approval-given:${commentId}`, kind: "approval-given", address, language },
      ...{ sealed: null, nowMs, expiresAtMs: nowMs + VERDICT_LIFETIME_MS },
      facts: { workspaceId, artifactId, shareName, visitorName, verdict, sizes },
    }),
  ];
}
