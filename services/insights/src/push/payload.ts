/** What a service worker is given: JSON, at most 3 KiB. */
export interface PushPayload {
  /** Of the notification. */
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  /** One with the same takes the place of the other. */
  readonly tag: string;
  /** Page of the admin web UI, below its own address. */
  readonly url: string;
}

/** Where a notification leads to, by what it is about. */
export function pageOf(type: string, metadata: Readonly<Record<string, unknown>>): string {
  const of = (path: string, id: string): string =>
    typeof metadata[id] === 'string' ? `/${path}/${metadata[id]}` : `/${path}`;
  switch (type) {
    case 'message':
      return of('inbox', 'conversationId');
    case 'connection':
      return of('profiles', 'profileId');
    case 'broadcast':
      return of('broadcasts', 'broadcastId');
    case 'automation':
      return metadata['conversationId'] === undefined ? '/ai' : of('inbox', 'conversationId');
    case 'security':
      return '/account';
    default:
      return metadata['webhookId'] === undefined ? of('profiles', 'profileId') : of('webhooks', 'webhookId');
  }
}
