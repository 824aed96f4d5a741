import { namedUuids, type OwnTool } from '@messaging-gateway/contracts';
import { Breakers, type EncryptionKeys } from '@messaging-gateway/runtime';
import type { Tool } from '../ai/tools.ts';
import { openSecret } from '../answerers/secrets.ts';
import { requestBody } from '../outside/request.ts';
import type { Caller } from '../outside/calling.ts';
import type { StepContext } from '../step.ts';
import { argumentFault, withoutOmitted } from './parameters.ts';

const idOf = namedUuids('7d0f7a4e-2f0b-5c63-9a35-58f2c1d0be6a');

/** Of one call, and of all those of one answer, milliseconds. */
const timeoutMs = 10_000;
const togetherMs = 30_000;

/** The URL did not do what it was asked. */
class CallFailed extends Error {
  /** It is at work all the same. */
  readonly isRefusal: boolean;

  constructor(word: string, statusCode: number | undefined) {
    super(`the tool is out of order (${word})`);
    this.isRefusal = statusCode !== undefined && statusCode < 500 && statusCode !== 429;
  }
}

/**
 * Tools of tenants: each call is a signed request to their URL, about whom is answered. It has a `webhook-id` that follows from run, step,
 * place and arguments. A server that fails again and again is not asked for some seconds.
 */
export class ToolCaller {
  readonly #caller: Caller;
  readonly #encryption: EncryptionKeys;
  readonly #breakers = new Breakers({
    isNoFault: (error) => !(error instanceof CallFailed) || error.isRefusal,
    whenOpen: () => new Error('the tool is out of order, and is asked again in some seconds'),
  });

  constructor(caller: Caller, encryption: EncryptionKeys) {
    this.#caller = caller;
    this.#encryption = encryption;
  }

  stop(): void {
    this.#breakers.stop();
  }

  /** Tools for one answer. @param sealed the secret that signs */
  toolsOf(tools: readonly OwnTool[], sealed: string | undefined, context: StepContext): readonly Tool[] {
    // Real time: sockets do not live in the time of a test clock.
    const over = performance.now() + togetherMs;
    let place = 0;
    return tools.map((tool) => {
      const parameters = tool.parameters as Tool['parameters'];
      return {
        name: tool.name,
        description: tool.description,
        parameters,
        run: async (written) => {
          place += 1;
          const given = withoutOmitted(parameters, written);
          const fault = argumentFault(parameters, given);
          if (fault !== undefined) throw new Error(fault);
          if (sealed === undefined) throw new Error('there is no secret to sign with');
          const left = Math.min(timeoutMs, Math.ceil(over - performance.now()));
          if (left <= 0) throw new Error('the tools have taken too long');
          return { text: await this.#call(tool, { given, place, sealed, left, context }) };
        },
      };
    });
  }

  async #call({ name, url }: OwnTool, { given, place, sealed, left, context }: ToolRequest): Promise<string> {
    const { organizationId, runId, index, signal } = context;
    const id = idOf(`${runId} ${index} ${place} ${name} ${JSON.stringify(given)}`);
    const body = await requestBody('ai.tool', context, { id, tool: name, arguments: given });
    const secret = openSecret(this.#encryption, organizationId, sealed);
    return this.#breakers.run(`${organizationId} ${new URL(url).origin}`, async () => {
      const called = await this.#caller.call({ url, id, body, secret, timeoutMs: left, signal });
      if (!called.ok) throw new CallFailed(called.error, called.statusCode);
      return called.text.trim() === '' ? 'Done.' : called.text;
    });
  }
}

interface ToolRequest {
  readonly given: Readonly<Record<string, unknown>>;
  /** Among the calls of this answer, from 1. */
  readonly place: number;
  readonly sealed: string;
  /** Milliseconds for it. */
  readonly left: number;
  readonly context: StepContext;
}
