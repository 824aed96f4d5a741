import {
  conversationIdOf,
  EvaluateAutomation,
  GetAutomationRun,
  IntegrationsChanged,
  ListAutomationRuns,
  ReadIntegrations,
} from '@messaging-gateway/contracts';
import { sealedFor } from '@messaging-gateway/runtime';
import { testEncryption } from '@messaging-gateway/service/testing';
import { startTypebot, type FakeTypebot } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { automationTest, type AutomationTest } from '../testing/automation-test.ts';

interface Evaluated {
  readonly answers: readonly { readonly kind: string; readonly id: string }[];
  readonly candidates: readonly { readonly kind: string; readonly id: string; readonly verdict: string }[];
}
interface SeenRun {
  readonly status: string;
  readonly reason: string | null;
  readonly steps: readonly { readonly status: string; readonly ignored?: readonly string[]; readonly error?: object }[];
}

let contacts = 0;

/** Automation beside a Typebot that an organization has set. */
export class TypebotWorld {
  readonly test: AutomationTest;
  readonly bot: FakeTypebot;
  profileId = v7();
  settings: Record<string, unknown> = {};
  version = 0;

  private constructor(test: AutomationTest, bot: FakeTypebot) {
    this.test = test;
    this.bot = bot;
  }

  static async start(): Promise<TypebotWorld> {
    const world = new TypebotWorld(await automationTest({ allowPrivateTargets: true }), await startTypebot());
    await world.test.service.fake(ReadIntegrations, ({ organizationId }) => {
      const isOurs = organizationId === world.test.caller.organizationId;
      const settings = sealedFor(testEncryption, organizationId, isOurs ? { typebot: world.settings } : {});
      return { version: isOurs ? world.version : 0, settings };
    });
    return world;
  }

  /** Tells a change of settings, as identity does. */
  async set(change: object): Promise<void> {
    const { bot, test } = this;
    this.settings = { apiUrl: bot.url, botId: bot.botId, enabled: true, ...change };
    this.version += 1;
    const about = { organizationId: test.caller.organizationId };
    await test.service.emit(IntegrationsChanged, { version: this.version }, about);
  }

  /** As at first, with another profile. */
  async afresh(): Promise<void> {
    this.profileId = v7();
    this.test.others.accepted.length = 0;
    const metadata = { city: 'Bandung', nested: { a: 1 } };
    this.test.others.person = { name: 'Ada', tags: ['customer'], metadata };
    this.bot.behave('normal');
    this.bot.isOld = false;
    await this.set({});
  }

  /** A new person. */
  somebody() {
    const { profileId, test } = this;
    const phone = `49151${String((contacts += 1)).padStart(8, '0')}`;
    const said = (): string[] =>
      test.others.accepted
        .filter(({ to }) => to === `${phone}@c.us`)
        .map(({ content }) => String(content['text'] ?? content['url']));
    return {
      phone,
      conversationId: conversationIdOf(profileId, `${phone}@c.us`),
      said,
      write: (text: string, given: object = {}) => test.receive(text, { profileId, phone, ...given }),
      /** Writes, and answers what came of it. */
      ask: async (text: string): Promise<string[]> => {
        const before = said().length;
        await test.receive(text, { profileId, phone });
        await test.rested();
        return said().slice(before);
      },
    };
  }

  evaluate(message: string, from: string): Promise<Evaluated> {
    return this.test.ask(EvaluateAutomation, { body: { profileId: this.profileId, message, from } });
  }

  /** The newest run in a chat. */
  async lastRun(phone: string): Promise<SeenRun> {
    const { candidates } = await this.evaluate('x', phone);
    const id = candidates.find(({ kind }) => kind === 'typebot')?.id ?? '';
    const { items } = await this.test.ask<{ items: { id: string; conversationId: string }[] }>(ListAutomationRuns, {
      params: { id },
    });
    const conversation = conversationIdOf(this.profileId, `${phone}@c.us`);
    const found = items.find(({ conversationId }) => conversationId === conversation);
    return this.test.ask<SeenRun>(GetAutomationRun, { params: { id: found?.id ?? '' } });
  }

  async stop(): Promise<void> {
    await this.test.stop();
    await this.bot.stop();
  }
}
