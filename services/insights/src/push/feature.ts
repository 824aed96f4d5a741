import {
  GetVapidKey,
  ListPushSubscriptions,
  MemberRemoved,
  SubscribeToPush,
  TestPush,
  UnsubscribeFromPush,
} from '@messaging-gateway/contracts';
import { answer, auditedRequests, dueGauges, every, feature, operation, reaction } from '@messaging-gateway/service';
import type { InsightsTools } from '../tools.ts';
import { pushMigration } from './20261124130000-push.migration.ts';
import { installationPair } from './keys.ts';
import { Pushes } from './pushes.ts';
import { PushSender } from './sender.ts';
import { subjectOf } from './subject.ts';
import {
  forgetOtherKeys,
  forgetSubscriptions,
  listSubscriptions,
  subscribe,
  subscriptionsSection,
  unsubscribe,
} from './subscriptions.ts';
import { testPush } from './trying.ts';

/** A replica that has other keys goes within that, milliseconds. */
const handOverMs = 3_600_000;
/** What stands for what was pushed is forgotten after that, milliseconds. */
const rememberedMs = 7_200_000;

/** Web Push: browsers of members, and what is pushed to them. */
export const push = feature({
  name: 'push',
  streams: [auditedRequests],
  migrations: [pushMigration],
  connect: (tools: InsightsTools) => {
    const { sql, clock, settings, encryption } = tools;
    const { vapidPublicKey, vapidPrivateKey } = settings;
    const given =
      vapidPublicKey === undefined || vapidPrivateKey === undefined
        ? undefined
        : { publicKey: vapidPublicKey, privateKey: vapidPrivateKey };
    let made: Promise<PushSender> | undefined;
    const sender = (): Promise<PushSender> => {
      made ??= installationPair(sql, encryption, given).then(
        (pair) => new PushSender({ pair, subject: subjectOf(settings), allowPrivate: settings.allowPrivateTargets }),
      );
      made.catch(() => (made = undefined));
      return made;
    };
    const publicKey = async (): Promise<string> => (await sender()).publicKey;
    const pushes = new Pushes({ sql, clock, sender });
    return {
      api: { pushes },
      rows: [
        operation(GetVapidKey, async () => ({ publicKey: await publicKey() })),
        operation(ListPushSubscriptions, (input) => listSubscriptions(sql, input)),
        operation(SubscribeToPush, (input) => subscribe({ ...tools, publicKey }, input)),
        operation(UnsubscribeFromPush, (input) => unsubscribe(sql, input).then(() => answer(204))),
        operation(TestPush, (input) => testPush({ sql, clock, sender }, input)),
      ],
      hears: [
        reaction(MemberRemoved, ({ userId }, { organizationId }) => forgetSubscriptions(sql, organizationId, userId)),
      ],
      running: [
        {
          start: async () => {
            await forgetOtherKeys(sql, await publicKey(), new Date(clock.now()));
          },
          stop: async () => (await made)?.close(),
        },
      ],
      jobs: [
        pushes.job,
        every(
          '1h',
          'upkeep of pushes',
          async () => {
            await forgetOtherKeys(sql, await publicKey(), new Date(clock.now() - handOverMs));
            await sql.query('DELETE FROM pushes WHERE due IS NULL AND told_at < $1', [
              new Date(clock.now() - rememberedMs),
            ]);
          },
          { alone: true },
        ),
      ],
      metrics: dueGauges(tools, { table: 'pushes', due: 'due', name: 'notification_pushes', what: 'Pushes' }),
      personalData: {
        first: ({ organizationId, userId }) => forgetSubscriptions(sql, organizationId, userId),
        tables: ['push_subscriptions', 'pushes'],
        sections: [subscriptionsSection],
      },
    };
  },
});
