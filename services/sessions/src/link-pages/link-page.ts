import { view, type Decider, type InlineView, type StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';

/** A page on which whoever has its URL links a profile. `tokenHash`: SHA-256 of the token, hex. */
interface Page {
  readonly profileId: string;
  /** The user who made the page, or whose API key did. */
  readonly userId: string;
  readonly tokenHash: string;
  readonly expiresAt: string;
  readonly returnUrl?: string | undefined;
  readonly language?: string | undefined;
}

type LinkPageEvent =
  | { type: 'LinkPageMade'; data: Page }
  | { type: 'LinkPageWithdrawn'; data: { profileId: string; at: string } };
type LinkPageCommand =
  /** Repeated with another token, the first one, which nobody was told, is worth nothing. */
  ({ type: 'MakeLinkPage' } & Page) | { type: 'WithdrawLinkPage'; profileId: string; at: string };
type LinkPage = { state: 'unknown' } | { state: 'withdrawn' } | { state: 'made'; profileId: string };

function decide(command: LinkPageCommand, page: LinkPage): readonly LinkPageEvent[] {
  if (command.type === 'MakeLinkPage') {
    if (page.state === 'withdrawn') throw new Refused('CONFLICT', 'The page has been withdrawn.');
    const { type: _type, ...data } = command;
    return [{ type: 'LinkPageMade', data }];
  }
  if (page.state === 'withdrawn') return [];
  if (page.state !== 'made' || page.profileId !== command.profileId) throw linkPageNotFound();
  return [{ type: 'LinkPageWithdrawn', data: { profileId: command.profileId, at: command.at } }];
}

export const linkPageNotFound = (): Refused =>
  new Refused('NOT_FOUND', 'There is no such page: it has ended, was withdrawn, or has never been.');

const linkPage: Decider<LinkPage, LinkPageCommand, LinkPageEvent> = {
  initial: { state: 'unknown' },
  decide,
  evolve: (_page, { type, data }) =>
    type === 'LinkPageMade' ? { state: 'made', profileId: data.profileId } : { state: 'withdrawn' },
};

export const linkPageStream: StreamType<LinkPage, LinkPageCommand, LinkPageEvent> = {
  name: 'link-page',
  decider: linkPage,
  events: {
    LinkPageMade: { version: 1, personal: ['returnUrl'] },
    LinkPageWithdrawn: { version: 1 },
  },
};

const tables = ['link_pages'];
const idOf = ({ stream }: { readonly stream: string }): string => stream.slice('link-page-'.length);

const made = view({
  name: 'link pages made',
  tables,
  of: linkPageStream,
  on: ['LinkPageMade'],
  rows: (events) =>
    events
      .map((event) => ({ id: idOf(event), organizationId: event.metadata.organizationId, ...event.data }))
      .slice(-1),
  sql: `INSERT INTO {schema}.link_pages (id, organization_id, profile_id, user_id, token_hash, expires_at, return_url, language)
    SELECT (row->>'id')::uuid, (row->>'organizationId')::uuid, (row->>'profileId')::uuid, (row->>'userId')::uuid, row->>'tokenHash',
           (row->>'expiresAt')::timestamptz, row->>'returnUrl', row->>'language' FROM {rows}
    ON CONFLICT (id) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
});

const withdrawn = view({
  name: 'link pages withdrawn',
  tables,
  of: linkPageStream,
  on: ['LinkPageWithdrawn'],
  rows: (events) => events.map((event) => ({ id: idOf(event) })),
  sql: `DELETE FROM {schema}.link_pages USING {rows} WHERE id = (row->>'id')::uuid`,
});

export const linkPageViews: readonly InlineView[] = [made, withdrawn];
