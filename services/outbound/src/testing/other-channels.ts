/** Settings of one-time codes that have no other way than the network. */
export const noOtherChannels = {
  otpAckTimeoutMs: 8000,
  otpFallbackUrl: undefined,
  otpFallbackDailyLimit: 1000,
  otpFallbackRecipientDailyLimit: 10,
  smtpUrl: undefined,
  smtpFrom: undefined,
} as const;
