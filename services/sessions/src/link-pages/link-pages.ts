import { createHash, randomBytes } from 'node:crypto';
import type {
  Caller,
  ConnectLinkPage,
  CreateLinkPage,
  DeleteLinkPage,
  ListLinkPages,
  ReadLinkPage,
} from '@messaging-gateway/contracts';
import { invalid, quotaReached, Refused } from '@messaging-gateway/messaging';
import type { InputOf, ServiceTools } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import type { QrCodes } from '../connection/qr-codes.ts';
import type { ConnectionControl } from '../holding/connection-control.ts';
import type { ConnectionNews } from '../holding/connection-news.ts';
import { callersProfile, type ProfileRecord } from '../profiles/profile-table.ts';
import { profileOptions } from '../profiles/profiles.ts';
import { linkPageNotFound, linkPageStream } from './link-page.ts';

export interface LinkPagesParts {
  readonly tools: ServiceTools<SessionsSettings>;
  readonly control: ConnectionControl;
  readonly news: ConnectionNews;
  readonly qrCodes: QrCodes;
}

interface LinkPageRecord {
  readonly id: string;
  readonly organization_id: string;
  readonly profile_id: string;
  readonly user_id: string;
  readonly expires_at: Date;
  readonly return_url: string | null;
  readonly language: string | null;
}

const columns = 'id, organization_id, profile_id, user_id, expires_at, return_url, language';

/** Pages of a profile that are open at the same time, at most. */
const mostPages = 20;
/** Left over between the end of a long wait and the request's deadline, milliseconds. */
const answerWithinMs = 2_000;
/** So often a page may begin to connect, and ask for a pairing code, in the window. */
const most = { connect: 20, pair: 5 } as const;
const windowMs = 600_000;

/** Pages on which whoever has their URL links one profile. */
export class LinkPages {
  readonly #parts: LinkPagesParts;

  constructor(parts: LinkPagesParts) {
    this.#parts = parts;
  }

  /** @throws Refused NOT_FOUND, FORBIDDEN, VALIDATION_ERROR for the URL, QUOTA_REACHED */
  async make({ params: { id: profileId }, body, caller, context }: InputOf<typeof CreateLinkPage>) {
    const { tools } = this.#parts;
    const { language, expiresInMinutes } = body;
    const returnUrl = body.returnUrl && checkedReturnUrl(body.returnUrl, tools.settings.allowPrivateTargets);
    await callersProfile(tools.sql, caller, profileId);
    const id = context.resourceId;
    const [open] = await tools.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM link_pages WHERE profile_id = $1 AND expires_at > $2 AND id <> $3',
      [profileId, new Date(tools.clock.now()), id],
    );
    if ((open?.count ?? 0) >= mostPages) throw quotaReached('open pages for linking of one profile', mostPages);
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(tools.clock.now() + expiresInMinutes * 60_000).toISOString();
    const made = { profileId, userId: caller.userId, tokenHash: hashOf(token), expiresAt, returnUrl, language };
    await tools.store.handle(
      linkPageStream,
      id,
      { type: 'MakeLinkPage', ...made },
      profileOptions(profileId, caller, context),
    );
    return { id, url: `${context.publicUrl ?? ''}/link#${token}`, expiresAt };
  }

  /** Lists the pages that are open. @throws Refused NOT_FOUND, FORBIDDEN */
  async list({ params: { id: profileId }, caller }: InputOf<typeof ListLinkPages>) {
    const { sql, clock } = this.#parts.tools;
    await callersProfile(sql, caller, profileId);
    const open = await sql.query<LinkPageRecord>(
      `SELECT ${columns} FROM link_pages WHERE profile_id = $1 AND organization_id = $2 AND expires_at > $3 ORDER BY expires_at, id`,
      [profileId, caller.organizationId, new Date(clock.now())],
    );
    return {
      items: open.map((page) => ({
        id: page.id,
        userId: page.user_id,
        expiresAt: page.expires_at.toISOString(),
        returnUrl: page.return_url,
        language: page.language,
      })),
    };
  }

  /** @throws Refused NOT_FOUND, FORBIDDEN */
  async withdraw({ params: { id: profileId, linkPageId }, caller, context }: InputOf<typeof DeleteLinkPage>) {
    const { tools, news } = this.#parts;
    await callersProfile(tools.sql, caller, profileId);
    const at = new Date(tools.clock.now()).toISOString();
    await tools.store.handle(
      linkPageStream,
      linkPageId,
      { type: 'WithdrawLinkPage', profileId, at },
      profileOptions(profileId, caller, context),
    );
    news.tell(profileId);
  }

  /** @throws Refused NOT_FOUND when the page is none, or none any more */
  async read({ body: { token, seen, wait = 0 }, context }: InputOf<typeof ReadLinkPage>) {
    const { tools, news, qrCodes } = this.#parts;
    const { profile_id: profileId, expires_at: end } = await this.#page(token);
    const until = Math.min(tools.clock.now() + wait * 1000, context.deadline - answerWithinMs, end.getTime());
    const { page, profile, shown, version } = await news.waitFor(
      profileId,
      until,
      () => this.#look(token),
      (found) => found.version !== seen,
    );
    return {
      version,
      name: profile.name,
      status: profile.status,
      statusReason: profile.status_reason,
      qrCode: shown === undefined ? null : await qrCodes.imageOf(profileId, shown.qr),
      expiresInMs: Math.max(0, page.expires_at.getTime() - tools.clock.now()),
      returnUrl: page.return_url,
      language: page.language,
    };
  }

  /** @throws Refused NOT_FOUND, RATE_LIMITED, and what connect throws */
  async connect({ body: { token, phoneNumber }, context }: InputOf<typeof ConnectLinkPage>) {
    const page = await this.#page(token);
    await this.#count(page.id, phoneNumber === undefined ? 'connect' : 'pair');
    return this.#parts.control.connect(
      { id: page.profile_id },
      { body: phoneNumber === undefined ? {} : { phoneNumber }, caller: makerOf(page), context },
    );
  }

  async #look(token: string) {
    const page = await this.#page(token);
    const profile = await callersProfile(this.#parts.tools.sql, makerOf(page), page.profile_id).catch(() => {
      throw linkPageNotFound();
    });
    const shown = isShown(profile) ? await this.#parts.qrCodes.current(profile.id) : undefined;
    const state = [profile.name, profile.status, profile.status_reason, profile.since.getTime(), shown?.qr];
    return { page, profile, shown, version: hashOf(JSON.stringify(state)).slice(0, 32) };
  }

  async #page(token: string): Promise<LinkPageRecord> {
    const { sql, clock } = this.#parts.tools;
    const [page] = await sql.query<LinkPageRecord>(
      `SELECT ${columns} FROM link_pages
        WHERE token_hash = $1 AND expires_at > $2`,
      [hashOf(token), new Date(clock.now())],
    );
    if (page === undefined) throw linkPageNotFound();
    return page;
  }

  /** A store that is away must not keep anybody from linking. */
  async #count(id: string, what: keyof typeof most): Promise<void> {
    const count = await this.#parts.tools.cache.increment(`link-page:${id}:${what}`, windowMs).catch(() => 0);
    if (count > most[what])
      throw new Refused('RATE_LIMITED', `Too many tries on this page (${most[what]} in 10 minutes).`, undefined, {
        'Retry-After': '60',
      });
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const isShown = ({ is_wanted: isWanted, status }: ProfileRecord): boolean => isWanted && status !== 'connected';

/** The caller whom a page acts for: it may do no more than this service lets it. */
const makerOf = ({ organization_id: organizationId, user_id: userId }: LinkPageRecord): Caller => ({
  organizationId,
  userId,
  permissions: [],
});

/** @throws Refused VALIDATION_ERROR */
function checkedReturnUrl(text: string, allowsHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAllowed = url?.protocol === 'https:' || (allowsHttp && url?.protocol === 'http:');
  if (url === undefined || !isAllowed || url.username !== '' || url.password !== '') {
    const form = allowsHttp ? 'an https or http URL' : 'an https URL';
    throw invalid([
      {
        path: 'body.returnUrl',
        message: `must be ${form} without user and password, such as https://example.com/linked`,
      },
    ]);
  }
  return url.href;
}
