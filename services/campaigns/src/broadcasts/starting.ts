import type { EventMetadata, EventStore, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { v7 } from 'uuid';
import type { BroadcastRow } from './broadcast-records.ts';
import { broadcastStream, isKnown, type FailReason, type FixedMessage, type KnownBroadcast } from './broadcast.ts';
import { fixAudience, forget, type FixingParts } from './fixing.ts';
import { keptForStart, type MediaTools } from './media.ts';
import { fixedMessage } from './message.ts';

/** A template with values. */
interface TemplateMessage {
  readonly organizationId: string;
  readonly profileId: string;
  readonly templateId: string;
  readonly variables: Record<string, string>;
}

/** The content of a template with its variables filled. @throws Refused NOT_FOUND */
type RenderTemplate = (template: TemplateMessage) => Promise<{
  readonly messageType: string;
  readonly content: object;
  readonly missing: readonly string[];
}>;

export interface StartingParts extends FixingParts, MediaTools {
  readonly store: EventStore;
  readonly render: RenderTemplate;
  /** Ends one that cannot start. */
  readonly fail: (row: BroadcastRow, reason: FailReason) => Promise<void>;
}

/** Starts broadcasts: because somebody asks for it, or because their time has come. */
export class StartingBroadcasts {
  readonly #parts: StartingParts;

  constructor(parts: StartingParts) {
    this.#parts = parts;
  }

  /**
   * Fixes what is sent to whom. Of two at once one has started it, and the other is refused.
   *
   * @throws Refused VALIDATION_ERROR naming `recipients`, `variables` or `message`, NOT_FOUND, CONFLICT
   */
  async start(
    { organization_id: organizationId, broadcast_id: broadcastId }: BroadcastRow,
    state: KnownBroadcast,
    metadata: EventMetadata,
    onAppended: (events: readonly RecordedEvent[]) => void = () => undefined,
  ): Promise<void> {
    const { clock, sql, store } = this.#parts;
    if (state.status !== 'draft' && state.status !== 'scheduled')
      throw new Refused('CONFLICT', `The broadcast is ${state.status}.`, { status: state.status });
    // What is kept for a start that fails is nobody's: no other start can meet it while it goes.
    const keeping = { ownerId: broadcastId, caller: { organizationId }, requestId: v7() };
    const message = await keptForStart(this.#parts, await this.#fixMessage(organizationId, state), keeping);
    const audience = await fixAudience(this.#parts, organizationId, state.facts, message);
    const command = { type: 'Start', fixed: { ...audience, message }, at: clock.now() } as const;
    try {
      await store.handle(broadcastStream, broadcastId, command, { metadata, onAppended });
    } catch (error) {
      if (error instanceof Refused) await forget(sql, audience.audienceId);
      throw error;
    }
  }

  /** Starts a broadcast whose time has come. */
  async startDue(row: BroadcastRow): Promise<void> {
    const { store, fail } = this.#parts;
    const { organization_id: organizationId, profile_id: profileId, broadcast_id: broadcastId } = row;
    const { state } = await store.load(broadcastStream, broadcastId);
    if (!isKnown(state) || state.status !== 'scheduled') return;
    if (typeof state.facts.message !== 'object') return fail(row, 'ERASED');
    const subject = `organization:${organizationId}`;
    try {
      await this.start(row, state, { organizationId, profileId, subject, actor: 'service:campaigns' });
    } catch (error) {
      const reason = error instanceof Refused ? reasonOf(error) : undefined;
      if (reason === undefined) throw error;
      await fail(row, reason);
    }
  }

  async #fixMessage(organizationId: string, { facts }: KnownBroadcast): Promise<FixedMessage> {
    const { message, profileId } = facts;
    const { templateId, variables = {}, link } = message;
    if (templateId === undefined) return fixedMessage(message);
    const template = { organizationId, profileId, templateId, variables: { ...variables } };
    const { messageType, content, missing } = await this.#parts.render(template);
    if (missing.length > 0)
      throw invalid([
        { path: 'variables', message: `lack a value for ${missing.join(', ')}, which the template names` },
      ]);
    return { type: messageType, content: { ...content }, templateId, ...(link !== undefined && { link }) };
  }
}

/** Why it can never start; undefined: it may yet, or has. */
function reasonOf({ code, details }: Refused): FailReason | undefined {
  if (code === 'NOT_FOUND') return 'TEMPLATE';
  if (code !== 'VALIDATION_ERROR') return undefined;
  const [fault] = Array.isArray(details) ? (details as { path?: string; message?: string }[]) : [];
  if (fault?.path?.includes('variables') === true || fault?.path?.startsWith('message') === true) return 'TEMPLATE';
  return fault?.message?.startsWith('has more') === true ? 'TOO_MANY' : 'NO_RECIPIENTS';
}
