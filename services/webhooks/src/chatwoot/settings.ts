/** Settings of an organization for Chatwoot, as identity hands them over. */
export interface ChatwootSettings {
  readonly url?: string;
  readonly apiToken?: string;
  readonly accountId?: string | number;
  readonly inboxId?: string | number;
  readonly enabled?: boolean;
  readonly profileIds?: readonly string[];
  readonly webhookSecret?: string;
  /** SHA-256 of the token in the URL that agents' answers come by, hex. */
  readonly tokenHash?: string;
}

/** An inbox, and how one speaks to it. */
export interface Inbox {
  readonly organizationId: string;
  /** Without a slash at its end. */
  readonly url: string;
  readonly apiToken: string;
  readonly accountId: string;
  readonly inboxId: string;
}

/** Undefined: something is missing. */
export function inboxOf(organizationId: string, settings: ChatwootSettings): Inbox | undefined {
  const { url, apiToken, accountId, inboxId } = settings;
  if (url === undefined || apiToken === undefined || accountId === undefined || inboxId === undefined) return undefined;
  return {
    organizationId,
    url: url.replace(/\/+$/, ''),
    apiToken,
    accountId: String(accountId),
    inboxId: String(inboxId),
  };
}

export const needed = 'url, apiToken, accountId and inboxId are needed.';
