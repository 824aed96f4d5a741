import { Refused } from '@messaging-gateway/messaging';
import type { Decider } from '@messaging-gateway/event-sourcing';
import { withKeptValues, type Headers } from './headers.ts';
import { requireCover, type Scope } from './scope.ts';

/** Settings of a webhook, by its owner. */
export interface WebhookSettings {
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly profileIds?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Absent: 1, as it was made before there was a choice. */
  readonly payloadVersion?: number | undefined;
  readonly signedMediaUrls?: boolean | undefined;
  /** Where the API was reached when it was made or changed last, without a slash at its end. */
  readonly reachedAt?: string | undefined;
}
export type DisabledReason = 'GONE' | 'FAILING';

/** Times are ISO 8601. */
export type WebhookEvent =
  | {
      type: 'WebhookCreated';
      data: WebhookSettings & { organizationId: string; secret?: string | undefined; at: string };
    }
  | { type: 'WebhookChanged'; data: WebhookSettings & { at: string } }
  | {
      type: 'WebhookSecretSet';
      data: {
        secret: string | null;
        previous?: string;
        previousUntil?: string;
        /** Of a rotation: which request asked for it. */
        request?: string;
        at: string;
      };
    }
  | { type: 'WebhookDisabled'; data: { url: string; reason: DisabledReason; at: string } }
  | { type: 'WebhookDeleted'; data: { at: string } };

/** Fields that are absent stay as they are; null removes. A header whose value is hidden keeps the value that it has. */
interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
  readonly profileIds?: readonly string[] | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | null | undefined;
  readonly payloadVersion?: number | undefined;
  readonly signedMediaUrls?: boolean | undefined;
  readonly reachedAt?: string | undefined;
  readonly secret?: string | null | undefined;
}

export type WebhookCommand =
  | { type: 'CreateWebhook'; by: Scope; settings: WebhookSettings; secret?: string | undefined; at: string }
  | { type: 'ChangeWebhook'; by: Scope; changes: WebhookChanges; at: string }
  /** `request`: the same for its repeats, whose secrets count for nothing. */
  | { type: 'RotateSecret'; by: Scope; request: string; secret: string; at: string; previousUntil: string }
  | { type: 'DeleteWebhook'; by: Scope; at: string }
  /** `url`: the target that failed; a webhook that leads elsewhere by now stays enabled. */
  | { type: 'DisableWebhook'; url: string; reason: DisabledReason; at: string };

export interface ActiveWebhook extends WebhookSettings {
  readonly status: 'active';
  readonly organizationId: string;
  readonly secret?: string | undefined;
  /** The secret before the last rotation, also used until then. */
  readonly previous?: { readonly secret: string; readonly until: string } | undefined;
  /** The request of the last rotation, as long as its secret is the present one. */
  readonly rotation?: string | undefined;
  readonly disabledReason?: DisabledReason | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}
export type WebhookState = { readonly status: 'unknown' } | { readonly status: 'deleted' } | ActiveWebhook;

/** The webhook, if the caller's organization has it and the caller may touch it. @throws Refused */
export function requireOwn(state: WebhookState, by: Scope): ActiveWebhook {
  if (state.status !== 'active' || state.organizationId !== by.organizationId) {
    throw new Refused('NOT_FOUND', 'There is no such webhook.');
  }
  requireCover(by, state.profileIds);
  return state;
}

function decide(command: WebhookCommand, state: WebhookState): readonly WebhookEvent[] {
  const { at } = command;
  switch (command.type) {
    case 'CreateWebhook': {
      requireCover(command.by, command.settings.profileIds);
      if (state.status !== 'unknown') return []; // the same request again
      const { organizationId } = command.by;
      return [{ type: 'WebhookCreated', data: { organizationId, ...command.settings, secret: command.secret, at } }];
    }
    case 'ChangeWebhook':
      return change(requireOwn(state, command.by), command.changes, command.by, at);
    case 'RotateSecret': {
      const { request, secret, previousUntil } = command;
      const { secret: previous, rotation } = requireOwn(state, command.by);
      // A repeat must not push out the secret that receivers still go by.
      if (rotation === request || previous === secret) return [];
      const former = previous === undefined ? {} : { previous, previousUntil };
      return [{ type: 'WebhookSecretSet', data: { secret, ...former, request, at } }];
    }
    case 'DeleteWebhook':
      requireOwn(state, command.by);
      return [{ type: 'WebhookDeleted', data: { at } }];
    case 'DisableWebhook': {
      if (state.status !== 'active' || !state.enabled || state.url !== command.url) return [];
      return [{ type: 'WebhookDisabled', data: { url: command.url, reason: command.reason, at } }];
    }
  }
}

function change(state: ActiveWebhook, changes: WebhookChanges, by: Scope, at: string): readonly WebhookEvent[] {
  const before = settingsOf(state);
  const after: WebhookSettings = {
    url: changes.url ?? before.url,
    events: changes.events ?? before.events,
    enabled: changes.enabled ?? before.enabled,
    profileIds: changes.profileIds === undefined ? before.profileIds : (changes.profileIds ?? undefined),
    headers: changes.headers === undefined ? before.headers : changedHeaders(changes.headers, before.headers),
    payloadVersion: changes.payloadVersion ?? before.payloadVersion,
    signedMediaUrls: changes.signedMediaUrls ?? before.signedMediaUrls,
    reachedAt: changes.reachedAt ?? before.reachedAt,
  };
  requireCover(by, after.profileIds);
  const events: WebhookEvent[] = [];
  if (JSON.stringify(before) !== JSON.stringify(after)) events.push({ type: 'WebhookChanged', data: { ...after, at } });
  if (changes.secret !== undefined && changes.secret !== (state.secret ?? null)) {
    events.push({ type: 'WebhookSecretSet', data: { secret: changes.secret, at } });
  }
  return events;
}

const changedHeaders = (given: Headers | null, before: Headers | undefined): Headers | undefined =>
  given === null ? undefined : withKeptValues(given, before);

const settingsOf = (given: WebhookSettings): WebhookSettings => {
  const { url, events, enabled, profileIds, headers, payloadVersion, signedMediaUrls, reachedAt } = given;
  return { url, events, enabled, profileIds, headers, payloadVersion, signedMediaUrls, reachedAt };
};

function evolve(state: WebhookState, event: WebhookEvent): WebhookState {
  if (event.type === 'WebhookCreated') {
    const { organizationId, secret, at } = event.data;
    const settings = settingsOf(event.data);
    return { status: 'active', organizationId, ...settings, secret, createdAt: at, updatedAt: at };
  }
  if (state.status !== 'active') return state;
  const updatedAt = event.data.at;
  switch (event.type) {
    case 'WebhookChanged': {
      const disabledReason = event.data.enabled ? undefined : state.disabledReason;
      return { ...state, ...settingsOf(event.data), disabledReason, updatedAt };
    }
    case 'WebhookSecretSet': {
      const { secret, previous, previousUntil, request } = event.data;
      const overlap =
        previous === undefined || previousUntil === undefined ? undefined : { secret: previous, until: previousUntil };
      return { ...state, secret: secret ?? undefined, previous: overlap, rotation: request, updatedAt };
    }
    case 'WebhookDisabled':
      return { ...state, enabled: false, disabledReason: event.data.reason, updatedAt };
    case 'WebhookDeleted':
      return { status: 'deleted' };
  }
}

export const webhook: Decider<WebhookState, WebhookCommand, WebhookEvent> = {
  initial: { status: 'unknown' },
  decide,
  evolve,
};
