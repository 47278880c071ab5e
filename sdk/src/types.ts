/** The shapes of the API under the names that a caller uses. All of them are in `Schemas`. */

export type * as Schemas from "./generated/schemas.ts";

export type {
  ApiKey,
  Approval,
  Artifact,
  ArtifactDownload,
  ArtifactFile,
  ArtifactSummary,
  Asset,
  AssetStatus,
  Balance,
  Brand,
  ButtonStyle,
  CanceledJob,
  ClaimTrial,
  CompleteUpload,
  Compliance,
  Contract,
  ContractSummary,
  Copy,
  CreateApiKey,
  CreateBrand,
  CreatedApiKey,
  CreateJob,
  CreatePreview,
  CreateShare,
  CreateShareComment,
  CreateShareReply,
  CreateUpload,
  ErrorCode,
  ErrorDetails,
  FailedJob,
  FileContentType,
  FocalPoint,
  Health,
  ImportAsset,
  Job,
  JobFailure,
  JobFailureCode,
  JobQuote,
  JobStatus,
  KeepArea,
  KeyBudget,
  Layout,
  LedgerEvent,
  Look,
  MailedShare,
  MailShare,
  MimeType,
  MonthStatement,
  Motion,
  OutputFormat,
  Override,
  OwnShareComment,
  PackRequest,
  Placement,
  Placements,
  Preview,
  PreviewQuota,
  Progress,
  RevokedApiKey,
  SavedBrand,
  Scope,
  Service,
  Share,
  ShareComment,
  ShareCommentList,
  SharedPack,
  ShareList,
  Size,
  SlotId,
  SucceededJob,
  Trial,
  UpdateBrand,
  UpdateJob,
  UpdateShare,
  UploadIntent,
  UsageSummary,
  UsageSummaryRow,
} from "./generated/schemas.ts";

import type {
  Artifact,
  ArtifactMessage,
  BalanceMessage,
  JobMessage,
  ShareMessage,
  TestMessage,
} from "./generated/schemas.ts";

/** The list of a finished pack's files, with what each keeps and how it is laid out. */
export type Manifest = Artifact;

/** Any message that a webhook is sent; `type` tells which. */
export type WebhookMessage = ArtifactMessage | JobMessage | BalanceMessage | ShareMessage | TestMessage;

export type { ArtifactMessage, BalanceMessage, JobMessage, ShareMessage, TestMessage };

/** A shape as a caller gives it: nothing of it is changed, so lists that are read-only will do. */
export type Given<T> = { readonly [Member in keyof T]: Given<T[Member]> };
