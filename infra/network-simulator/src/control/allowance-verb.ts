import { randomBytes } from 'node:crypto';
import { node, nowSeconds, SERVER } from '../connection/nodes.ts';
import {
  type Account,
  type Allowance,
  cappingInfo,
  type NewChats,
  type Restriction,
  timelock,
} from '../people/restriction.ts';
import { Refusal } from './refusal.ts';

const STATUSES: readonly NewChats['status'][] = ['none', 'first_warning', 'second_warning', 'capped'];

/**
 * Changes what the network allows an account, and notifies its linked clients.
 * @throws Refusal when a value has another form; nothing is changed then
 */
export function changeAllowance(person: Account, { restriction, newChats }: Partial<Allowance>): void {
  if (restriction) assertRestriction(restriction);
  if (newChats) assertNewChats(newChats);
  if (restriction !== undefined) {
    person.allowance.restriction = restriction;
    if (restriction?.notify !== false)
      notify(person, 'NotificationUserReachoutTimelockUpdate', {
        xwa2_notify_account_reachout_timelock: timelock(person.allowance),
      });
  }
  if (newChats === undefined) return;
  person.allowance.newChats = newChats;
  const info = cappingInfo(person.allowance);
  if (info !== null)
    notify(person, 'MessageCappingInfoNotification', { xwa2_notify_new_chat_messages_capping_info_update: info });
}

function assertRestriction({ type, until }: Restriction): void {
  const isTime = until === null || (typeof until === 'string' && !Number.isNaN(Date.parse(until)));
  if (typeof type !== 'string' || !isTime)
    throw new Refusal(
      'SETTING_INVALID',
      'restriction has to be null or like { "type": "BIZ_QUALITY", "until": an ISO time or null }.',
    );
}

function assertNewChats({ status, used, quota }: NewChats): void {
  if (!STATUSES.includes(status) || !Number.isInteger(used) || !Number.isInteger(quota))
    throw new Refusal(
      'SETTING_INVALID',
      `newChats has to be null or like { "status": ${STATUSES.join(' | ')}, "used": 3, "quota": 10 }.`,
    );
}

function notify(person: Account, operation: string, data: object): void {
  const attributes = { from: SERVER, type: 'mex', id: randomBytes(6).toString('hex'), t: nowSeconds() };
  const update = node('update', { op_name: operation }, Buffer.from(JSON.stringify({ data })));
  for (const device of person.devices.values()) device.deliver(node('notification', attributes, [update]));
}
