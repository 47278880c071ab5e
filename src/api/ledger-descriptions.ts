/** Descriptions that the service writes into the ledger. All others were typed by an operator. */
export const LEDGER_DESCRIPTIONS = {
  reserved: "Job reserved",
  imageReserved: "Image URL reserved",
  failed: "Job failed",
  canceled: "Job canceled",
  granted: "Credits granted",
  freeSize: "Free size for a confirmed address",
  trial: "Trial credits",
  trialEnded: "Trial ended",
  bought: "Credits bought",
  refunded: "Payment refunded",
  disputed: "Payment disputed",
  refundedOrDisputed: "Payment refunded or disputed",
  disputeWon: "Dispute won",
  refundFailed: "Refund failed",
  owed: "Credits owed for an earlier payment",
} as const;
