import {
  AuditRecorded,
  type AuditSpec,
  type Caller,
  type DataOf,
  type Operation,
  type OperationRequest,
} from '@messaging-gateway/contracts';
import type {
  AuditMark,
  EventMetadata,
  HandleOptions,
  JournalEntry,
  RecordedEvent,
  RequestOrigin,
} from '@messaging-gateway/event-sourcing';
import { type Publication, type Publish, type RequestContext, publication } from './definition.ts';

type OnAppended = RequestContext['appended'];
type OnRaised = RequestContext['raised'];

/**
 * The marks of requests that run, by what their handlers pass on: who gives `context.appended` to the store, or
 * `context.raised` to another service, has said that this is what was asked for.
 */
const marks = new WeakMap<OnAppended | OnRaised, AuditMark>();

/**
 * The mark of a request.
 *
 * @param spec what `auditOf` says of its contract
 * @param fields that the body has: their names only, as what they hold may be personal, or secret
 */
export function markOf(
  { action, resourceType, resourceParameter, namedByRequest }: AuditSpec,
  { method }: Operation,
  request: Omit<OperationRequest, 'body'>,
  fields: readonly string[],
): AuditMark {
  const { caller, resourceId: id, params } = request;
  const named = resourceParameter && params[resourceParameter];
  const resourceId = namedByRequest === true ? id : resourceParameter === null ? null : named;
  const origin = originOf(request);
  return {
    id,
    action,
    ...(resourceType !== undefined && { resourceType }),
    ...(resourceId !== undefined && { resourceId }),
    ...(caller && { actor: actorOf(caller), subject: `user:${caller.userId}` }),
    ...(origin && { origin }),
    ...((method === 'PUT' || method === 'PATCH') && { more: { fields } }),
  };
}

/** Actor of a request, as kept with events: `user:<id>` or `api_key:<id>`. */
export const actorOf = ({ apiKeyId, userId }: Caller): string =>
  apiKeyId === undefined ? `user:${userId}` : `api_key:${apiKeyId}`;

function originOf({ ip, userAgent }: Pick<OperationRequest, 'ip' | 'userAgent'>): RequestOrigin | undefined {
  if (ip === undefined && userAgent === undefined) return undefined;
  return { ...(ip !== undefined && { ip }), ...(userAgent !== undefined && { userAgent }) };
}

/** Lets what the handlers of a request do under these two count as done for it. */
export function marking(
  mark: AuditMark | undefined,
  { appended, raised }: Pick<RequestContext, 'appended' | 'raised'>,
): void {
  if (mark === undefined) return;
  marks.set(appended, mark);
  marks.set(raised, mark);
}

/** The mark of a request, for metadata of what is appended for it without its `appended`. */
export const auditMarkOf = ({ appended }: Pick<RequestContext, 'appended'>): AuditMark | undefined =>
  marks.get(appended);

/** The mark of a request that goes along with what is asked of another service on its behalf. */
export const markHandedOn = (raised: OnRaised | undefined): AuditMark | undefined =>
  raised === undefined ? undefined : marks.get(raised);

/** Marks that stand in the journal: further events of the request need none. */
const written = new WeakSet<AuditMark>();

/** Whether an event of the request is in the journal. */
export const isWritten = (mark: AuditMark): boolean => written.has(mark);

/** By what is given to the journal with a command. */
const marksOfCommands = new WeakMap<HandleOptions, AuditMark>();

/** Notes that the command's events are in the journal. */
export function noteWritten(given: HandleOptions): void {
  const mark = marksOfCommands.get(given);
  if (mark !== undefined) written.add(mark);
}

/** Options of a command to the journal, with the mark of the request that it is for. */
export function marked(given: HandleOptions): HandleOptions {
  const { onAppended, metadata } = given;
  const known = onAppended && marks.get(onAppended);
  const mark = metadata.audit ?? known;
  if (mark === undefined) return given;
  const completed = { ...given, metadata: markedMetadata(metadata, known, written.has(mark)) };
  marksOfCommands.set(completed, mark);
  return completed;
}

/** Metadata with the mark: what is given with them goes before what is known of the request. */
function markedMetadata(given: EventMetadata, known: AuditMark | undefined, isWritten: boolean): EventMetadata {
  const { audit: also, ...metadata } = given;
  if (isWritten) return metadata;
  const { actor, subject = subjectOf(metadata.actor), origin, ...audit } = { ...known, ...also } as AuditMark;
  return {
    ...metadata,
    audit: {
      ...audit,
      ...(actor !== undefined && actor !== metadata.actor && { actor }),
      ...(subject !== undefined && { subject }),
      ...(subject !== undefined && origin !== undefined && { origin }),
    },
  };
}

/** The subject of an actor: who proves to be a user on a public route is the one whom the event is about. */
const subjectOf = (actor: string | undefined): string | undefined => (actor?.startsWith('user:') ? actor : undefined);

/** The facts that a service tells, and of each marked event the fact of the audit. */
export const withAudit =
  (publish: Publish): Publish =>
  (entry) =>
    entry.metadata.audit === undefined ? publish(entry) : [...publish(entry), audited(entry, entry.metadata.audit)];

function audited(entry: RecordedEvent | JournalEntry, mark: AuditMark): Publication {
  const { id, action, more, origin, subject, actor = entry.metadata.actor ?? 'service:unknown' } = mark;
  const [type, ...name] = actor.split(':');
  const data = {
    id,
    action,
    actor: { type: type as DataOf<typeof AuditRecorded>['actor']['type'], id: name.join(':') },
    ...(subject?.startsWith('user:') && { userId: subject.slice(5) }),
    ...resourceOf(entry, mark),
    ...(more && { more }),
    ...origin,
  };
  return publication(AuditRecorded, data, id);
}

const uuidLength = 36;

function resourceOf({ stream }: RecordedEvent, { action, resourceType, resourceId }: AuditMark) {
  if (resourceId === null) return {};
  const id = resourceId ?? stream.slice(-uuidLength);
  return { resource: { type: resourceType ?? action.split('.')[0] ?? action, id } };
}
