import {
  RenderTemplate,
  type Fault,
  type FlowAction,
  type FlowCondition,
  type FlowTrigger,
} from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { resolvedTargetFault } from '@messaging-gateway/target-guard';
import { conditionFaults } from './conditions/faults.ts';
import { messageFaults, strangers } from './contents.ts';
import { headerFaults, keptHeaders } from './headers.ts';
import { ownToolFaults } from '../own-tools/faults.ts';
import type { FlowTools } from './tools.ts';
import { triggerFaults } from './triggers/faults.ts';

/** Fields of a flow as a client gives them. */
export interface Given {
  readonly trigger?: FlowTrigger;
  readonly conditions?: readonly FlowCondition[];
  readonly action?: FlowAction;
  readonly actions?: readonly FlowAction[];
  readonly secret?: string | null;
}

type ByType<T extends FlowAction['type']> = Extract<FlowAction, { type: T }>;

/** Of whom a flow is. */
export interface Place {
  readonly organizationId: string;
  readonly profileId: string;
}

/**
 * Checks what a schema cannot.
 *
 * @param before steps and secret as they are kept
 * @returns the steps, where they are given
 * @throws Refused VALIDATION_ERROR naming every field that is wrong
 */
export async function checkGiven(
  tools: FlowTools,
  given: Given,
  place: Place,
  before: { readonly actions: readonly FlowAction[]; readonly secret?: string } = { actions: [] },
): Promise<readonly FlowAction[] | undefined> {
  const { trigger, conditions = [], action, actions, secret } = given;
  if (action !== undefined && actions !== undefined)
    throw invalid([{ path: 'body.action', message: 'cannot stand beside actions' }]);
  const steps = action === undefined ? actions : [action];
  const pathOf = (index: number): string => (action === undefined ? `body.actions[${index}]` : 'body.action');
  const checker = new Steps(tools, place, before.actions);
  const faults = [
    ...(trigger === undefined ? [] : triggerFaults(trigger, 'body.trigger')),
    ...conditions.flatMap((condition, index) => conditionFaults(condition, `body.conditions[${index}]`)),
    ...(await Promise.all((steps ?? []).map((one, index) => checker.faults(one, pathOf(index))))).flat(),
    ...secretFaults(secret),
    ...unsignedFaults(steps ?? before.actions, secret === undefined ? before.secret : secret),
  ];
  if (faults.length > 0) throw invalid(faults);
  return steps;
}

const prefix = 'whsec_';
/** Base64 of at least one byte, padded or not. */
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?|[A-Za-z0-9+/]{4})$/;

const secretFaults = (secret: string | null | undefined): Fault[] =>
  typeof secret === 'string' && secret.startsWith(prefix) && !base64Form.test(secret.slice(prefix.length))
    ? [
        {
          path: 'body.secret',
          message: 'must hold base64 after whsec_, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        },
      ]
    : [];

/** Whoever is asked by a tool must be able to tell who asks. */
const unsignedFaults = (steps: readonly FlowAction[], secret: string | null | undefined): Fault[] =>
  typeof secret !== 'string' && steps.some((step) => step.type === 'ai_reply' && (step.ownTools ?? []).length > 0)
    ? [{ path: 'body.secret', message: 'is needed: it signs what ownTools send' }]
    : [];

/** Looks at the steps of a flow. */
class Steps {
  readonly #tools: FlowTools;
  readonly #place: Place;
  readonly #before: readonly FlowAction[];

  constructor(tools: FlowTools, place: Place, before: readonly FlowAction[]) {
    this.#tools = tools;
    this.#place = place;
    this.#before = before;
  }

  async faults(action: FlowAction, at: string): Promise<readonly Fault[]> {
    switch (action.type) {
      case 'send':
        return this.#send(action, at);
      case 'ai_reply':
        return [
          ...strangers(action.fallback ?? '', `${at}.fallback`),
          ...(await ownToolFaults(action.ownTools ?? [], `${at}.ownTools`, this.#policy)),
        ];
      case 'webhook': {
        const fault = await resolvedTargetFault(action.url, this.#policy);
        return [
          ...(fault === undefined ? [] : [{ path: `${at}.url`, message: fault }]),
          ...headerFaults(action.headers ?? {}, keptHeaders(this.#before, action.url), `${at}.headers`),
        ];
      }
      default:
        return [];
    }
  }

  get #policy() {
    return { allowPrivate: this.#tools.settings.allowPrivateTargets };
  }

  async #send({ message, templateId, variables }: ByType<'send'>, at: string): Promise<readonly Fault[]> {
    if ((message === undefined) === (templateId === undefined))
      return [{ path: `${at}.message`, message: 'must be given, or templateId: exactly one of both' }];
    if (message !== undefined && variables !== undefined)
      return [{ path: `${at}.variables`, message: 'go with templateId only' }];
    if (message !== undefined) return messageFaults(message, `${at}.message`, this.#policy);
    const faults = strangers(variables ?? {}, `${at}.variables`);
    return faults.length > 0 || templateId === undefined ? faults : this.#template(templateId, variables ?? {}, at);
  }

  async #template(templateId: string, variables: Readonly<Record<string, string>>, at: string): Promise<Fault[]> {
    try {
      const asked = { ...this.#place, templateId, variables: { ...variables } };
      const { missing } = await this.#tools.ask(RenderTemplate, asked);
      if (missing.length === 0) return [];
      const message = `lack a value for ${missing.join(', ')}, which the template names`;
      return [{ path: `${at}.variables`, message }];
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'NOT_FOUND') throw error;
      return [{ path: `${at}.templateId`, message: 'must be a template that the profile may use' }];
    }
  }
}
