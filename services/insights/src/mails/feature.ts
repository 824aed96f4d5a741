import { MemberRemoved } from '@messaging-gateway/contracts';
import { dueGauges, feature, reaction } from '@messaging-gateway/service';
import type { InsightsTools } from '../tools.ts';
import { mailsMigration } from './20261124140000-mails.migration.ts';
import { forgetMails, Mails } from './mails.ts';

/** Notifications by mail, for members who want that. */
export const mails = feature({
  name: 'mails',
  migrations: [mailsMigration],
  connect: (tools: InsightsTools) => {
    const { sql } = tools;
    const toMembers = new Mails(tools);
    return {
      api: { mails: toMembers },
      hears: [reaction(MemberRemoved, ({ userId }, { organizationId }) => forgetMails(sql, organizationId, userId))],
      jobs: [toMembers.job],
      metrics: dueGauges(tools, { table: 'notification_mails', due: 'due', name: 'notification_mails', what: 'Mails' }),
      personalData: {
        first: ({ organizationId, userId }) => forgetMails(sql, organizationId, userId),
        tables: ['notification_mails'],
      },
    };
  },
});
