import { DescribeProfile } from '@messaging-gateway/contracts';
import { quotaReached } from '@messaging-gateway/messaging';
import type { ServiceTools } from '@messaging-gateway/service';
import { askedBy, type Asking } from '../metadata.ts';
import {
  answererStream,
  type AnswererChanges,
  type AnswererCommand,
  type AnswererDocument,
  type AnswererKind,
} from './answerer.ts';
import { answererOf, findAnswerer, requireProfile } from './answerer-records.ts';
import { AnswererEntity, type AnswererRecord } from './answerers-view.ts';

type Tools = Pick<ServiceTools<unknown>, 'ask' | 'clock' | 'store'>;

/** The keeping of answerers, for features of their kinds. */
export interface Answerers {
  /**
   * Makes one; the same request again answers with what it made.
   *
   * @param most of its kind for a profile; requests at the same moment may exceed it by a few
   * @param id default: that of the request
   * @throws Refused NOT_FOUND, FORBIDDEN for the profile, QUOTA_REACHED
   */
  create(document: AnswererDocument, asked: Asking, limits: { most: number; id?: string }): Promise<AnswererRecord>;
  /** @throws Refused NOT_FOUND, FORBIDDEN */
  change(kind: AnswererKind, id: string, changes: Changes, asked: Asking): Promise<AnswererRecord>;
  /** @throws Refused NOT_FOUND, FORBIDDEN */
  remove(kind: AnswererKind, id: string, asked: Asking): Promise<void>;
  /** Tells that answerers of an organization were changed by other means than these. */
  changed(organizationId: string): void;
  /** Calls back when those of an organization were changed here. */
  onChange(listener: (organizationId: string) => void): void;
  /** Calls back when one was taken away here; it is waited for. */
  onRemoved(listener: (answererId: string) => Promise<void>): void;
}

type Changes = Omit<AnswererChanges, 'profileId'>;

export function answerersOn(tools: Tools): Answerers {
  const { ask, clock, store } = tools;
  const listeners: ((organizationId: string) => void)[] = [];
  const removed: ((answererId: string) => Promise<void>)[] = [];
  const changed = (organizationId: string): void => {
    for (const listener of listeners) listener(organizationId);
  };
  const carryOut = async (command: AnswererCommand, asked: Asking): Promise<void> => {
    await store.handle(answererStream, command.answererId, command, {
      metadata: askedBy(asked),
      onAppended: asked.context.appended,
    });
    changed(asked.caller.organizationId);
  };
  const at = (): string => new Date(clock.now()).toISOString();
  return {
    create: async (document, asked, { most, id }) => {
      const { organizationId } = asked.caller;
      const { kind, profileId } = document;
      const answererId = id ?? asked.context.resourceId;
      requireProfile(asked.caller, profileId);
      if (profileId !== null) await ask(DescribeProfile, { organizationId, profileId });
      const others = { kind, profileId, deleted: false, id: { $ne: answererId } };
      if ((await asked.context.em().count(AnswererEntity, others)) >= most)
        throw quotaReached(`automations of this kind`, most);
      await carryOut({ type: 'Create', answererId, document, at: at() }, asked);
      return answererOf(asked.context.em(), answererId);
    },
    change: async (kind, answererId, changes, asked) => {
      await findAnswerer(asked.context.em(), kind, answererId, asked.caller);
      await carryOut({ type: 'Change', answererId, changes, at: at() }, asked);
      return answererOf(asked.context.em(), answererId);
    },
    remove: async (kind, answererId, asked) => {
      await findAnswerer(asked.context.em(), kind, answererId, asked.caller);
      await carryOut({ type: 'Delete', answererId, at: at() }, asked);
      for (const listener of removed) await listener(answererId);
    },
    changed,
    onChange: (listener) => void listeners.push(listener),
    onRemoved: (listener) => void removed.push(listener),
  };
}
