import {
  parseRecipient,
  textFormats,
  type Caller,
  type ConnectProfile,
  type GetProfileQr,
  type GetProfileStatus,
  type QueryOf,
} from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { InputOf, OperationInput, RequestContext, ServiceTools, Whose } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import type { ConnectionNews } from './connection-news.ts';
import type { ProfilesHeld } from './profiles-held.ts';
import type { ConnectionFaults } from '../connection/connection-faults.ts';
import type { QrCodes } from '../connection/qr-codes.ts';
import { toHold } from './wanted-profiles.ts';
import { requireCapability, type Engines } from '../engine/engines.ts';
import { callersProfile, type ProfileRecord } from '../profiles/profile-table.ts';
import type { DeletedProfiles } from './deleted-profiles.ts';
import { profileStream } from '../profiles/profile.ts';
import { profileOptions } from '../profiles/profiles.ts';
import { quotaRefusal, withinQuota } from '../profiles/quotas.ts';

export interface ControlParts {
  readonly tools: ServiceTools<SessionsSettings>;
  readonly held: ProfilesHeld;
  readonly engines: Engines;
  readonly qrCodes: QrCodes;
  readonly news: ConnectionNews;
  readonly faults: ConnectionFaults;
  readonly deleted: DeletedProfiles;
}

/** A profile named by a request, in the account of its path where there is one. */
export interface Named {
  readonly id: string;
  readonly accountId?: string | undefined;
}

type Asked = Pick<OperationInput<unknown>, 'caller' | 'context'>;

/** Does what people ask of a connection. */
export class ConnectionControl {
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  /** Answers at once; with a phone number once the network gave a pairing code. */
  async connect(
    { id, accountId }: Named,
    { body, caller, context }: Asked & Pick<InputOf<typeof ConnectProfile>, 'body'>,
  ) {
    const phoneNumber = body?.phoneNumber;
    const { tools, held, engines } = this.#parts;
    const row = await callersProfile(tools.sql, caller, id, accountId);
    const engine = engines.of(row.engine ?? engines.defaultKind);
    const phone = phoneNumber === undefined ? undefined : digitsOf(phoneNumber);
    if (phone !== undefined) requireCapability(engine, 'pairing-code');
    const { unscannedQuota } = tools.settings;
    const isLinked = row.phone_number !== null;
    const of = { organizationId: caller.organizationId, profileId: id };
    const { state, outcome } = await tools.store.handle(
      profileStream,
      id,
      { type: 'WantConnection', engine: engine.kind, at: this.#now() },
      { ...profileOptions(id, caller, context), ...(!isLinked && withinQuota('unscanned', unscannedQuota, of)) },
    );
    if (outcome === 'guarded') throw quotaRefusal('unscanned', unscannedQuota);
    const steering = { organizationId: caller.organizationId, profileId: id, isWritten: true };
    if (phone !== undefined)
      return held.steer({ ...steering, action: 'pair', phoneNumber: phone }, toHold(row), context.deadline);
    // The answer does not wait for the network.
    held
      .steer({ ...steering, action: 'connect' }, toHold(row), context.deadline)
      .catch((error: Error) =>
        tools.log.warn('A profile could not be connected at once', { profileId: id, reason: error.message }),
      );
    return { status: state.exists ? state.status : row.status };
  }

  async disconnect({ id, accountId }: Named, { caller, context }: Asked) {
    const { tools, held } = this.#parts;
    const row = await callersProfile(tools.sql, caller, id, accountId);
    // Written first: of two who are asked at the same time the holder obeys the one that was written last.
    const { state } = await tools.store.handle(
      profileStream,
      id,
      { type: 'UnwantConnection', at: this.#now() },
      profileOptions(id, caller, context),
    );
    if (row.is_wanted || context.repeated)
      await held.steer(
        { organizationId: caller.organizationId, profileId: id, action: 'disconnect', isWritten: true },
        toHold(row),
        context.deadline,
      );
    return { status: state.exists ? state.status : 'disconnected' };
  }

  /** Unlinks on the network when it is connected, and deletes the session data. */
  async remove({ id, accountId }: Named, caller: Caller, context: RequestContext): Promise<void> {
    const { tools, held, deleted } = this.#parts;
    const row = await callersProfile(tools.sql, caller, id, accountId);
    const steering = { organizationId: caller.organizationId, profileId: id, action: 'unlink' } as const;
    await held
      .steer(steering, toHold(row), context.deadline)
      .catch((error: Error) =>
        tools.log.warn('A profile could not be unlinked on the network', { profileId: id, reason: error.message }),
      );
    await tools.store.handle(
      profileStream,
      id,
      { type: 'DeleteProfile', at: this.#now() },
      profileOptions(id, caller, context),
    );
    await deleted.clear(id);
  }

  /**
   * Unlinks the profiles of an organization that goes on the network, as far as it can be reached, and deletes their
   * session data: nothing is sent or received any more.
   */
  async removeAllOf({ organizationId, userId, wholeOrganization }: Whose, context: RequestContext): Promise<void> {
    if (!wholeOrganization) return;
    const caller: Caller = { organizationId, userId, permissions: [] };
    const found = await this.#parts.tools.sql.query<{ id: string }>(
      'SELECT id FROM profiles WHERE organization_id = $1',
      [organizationId],
    );
    await Promise.all(found.map(({ id }) => this.remove({ id }, caller, context)));
  }

  /** Answers when one of the statuses is reached, else at the end of the wait. */
  async status(id: string, { caller, context, query }: Asked & { readonly query: QueryOf<typeof GetProfileStatus> }) {
    const { tools, engines, faults, news } = this.#parts;
    const { wait = 0, until = 'connected' } = query;
    const statuses = until.split(',');
    const row = await news.waitFor(
      id,
      this.#endOf(wait, context),
      () => callersProfile(tools.sql, caller, id),
      ({ status }) => wait === 0 || statuses.includes(status),
    );
    const fault = row.status_reason === 'CONNECTION_LOST' ? await faults.current(id) : undefined;
    return {
      id,
      status: row.status,
      statusReason: row.status_reason,
      ...(fault !== undefined && { statusDetail: fault }),
      phoneNumber: row.phone_number,
      pushName: row.push_name,
      engine: row.engine ?? engines.defaultKind,
      since: row.since.toISOString(),
      lastConnectedAt: row.last_connected_at?.toISOString() ?? null,
    };
  }

  /** @throws Refused NOT_FOUND before connect, once connected, and where none came in time */
  async qr(
    { id, accountId }: Named,
    { caller, context, query: { wait = 0 } }: Asked & { readonly query: QueryOf<typeof GetProfileQr> },
  ) {
    const { tools, qrCodes, news } = this.#parts;
    const found = await news.waitFor(
      id,
      this.#endOf(wait, context),
      async () => {
        const row: ProfileRecord = await callersProfile(tools.sql, caller, id, accountId);
        return { row, shown: awaitsQr(row) ? await qrCodes.current(id) : undefined };
      },
      ({ row, shown }) => wait === 0 || shown !== undefined || !awaitsQr(row),
    );
    if (found.shown === undefined) throw noQr(found.row, wait);
    return { ...found.shown, qrCode: await qrCodes.imageOf(id, found.shown.qr) };
  }

  /** When the answer to a request that waits is due. Milliseconds since 1970. */
  #endOf(waitSeconds: number, { deadline }: RequestContext): number {
    return Math.min(this.#parts.tools.clock.now() + waitSeconds * 1000, deadline - answerWithinMs);
  }

  #now(): string {
    return new Date(this.#parts.tools.clock.now()).toISOString();
  }
}

/** Left over between the end of a long wait and the request's deadline, milliseconds. */
const answerWithinMs = 2000;

/** Whether there is a QR code or one may be coming. */
const awaitsQr = ({ is_wanted: isWanted, status, phone_number: phoneNumber }: ProfileRecord): boolean =>
  isWanted && status !== 'connected' && (status === 'awaiting_scan' || phoneNumber === null);

function noQr(row: ProfileRecord, wait: number): Refused {
  const { status } = row;
  if (status === 'connected')
    return new Refused('NOT_FOUND', 'There is no QR code: the profile is connected and needs none.');
  if (!row.is_wanted)
    return new Refused(
      'NOT_FOUND',
      `There is no QR code: the profile is ${status}. Connect it first: POST /profiles/${row.id}/connect.`,
    );
  if (!awaitsQr(row))
    return new Refused('NOT_FOUND', 'There is no QR code: the profile is linked and connects without a new scan.');
  const advice = wait === 0 ? 'ask with ?wait=30, which answers once it is there' : 'ask again';
  return new Refused(
    'NOT_FOUND',
    `There is no QR code yet: the profile is ${status}, and it is on its way; ${advice}.`,
  );
}

function digitsOf(phoneNumber: string): string {
  const digits = parseRecipient(phoneNumber)?.phone;
  if (digits !== undefined) return digits;
  throw invalid([{ path: 'body.phoneNumber', message: textFormats.phone.form }]);
}
