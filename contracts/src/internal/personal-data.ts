import { Type } from 'typebox';
import { internal, type InternalOperation } from '../contract.ts';
import { Id, closed, nullable } from '../shapes.ts';

const whose = {
  organizationId: Id,
  userId: Id,
  wholeOrganization: Type.Boolean({ description: 'The user is its only member: all that it has is meant' }),
};

const Erasure = closed(whose);
const Reading = closed({ ...whose, cursor: Type.Optional(Type.String()) });
const PersonalItems = closed({
  items: Type.Array(closed({ section: Type.String(), item: Type.Unknown() })),
  nextCursor: nullable(Type.String()),
});

const erasing = (name: string, owner: InternalOperation['owner']) =>
  internal({
    name,
    owner,
    means: `Erases what ${owner} holds of a user, or of an organization whose only member leaves. Asking twice does no harm.`,
    body: Erasure,
    answer: closed({}),
  });

const reading = (name: string, owner: InternalOperation['owner']) =>
  internal({
    name,
    owner,
    means: `What ${owner} holds of a user, or of an organization whose only member asks: a page at a time.`,
    body: Reading,
    answer: PersonalItems,
  });

export const EraseSessionsData = erasing('EraseSessionsData', 'sessions');
export const EraseOutboundData = erasing('EraseOutboundData', 'outbound');
export const EraseInboxData = erasing('EraseInboxData', 'inbox');
export const EraseWebhooksData = erasing('EraseWebhooksData', 'webhooks');
export const EraseInsightsData = erasing('EraseInsightsData', 'insights');
export const EraseCampaignsData = erasing('EraseCampaignsData', 'campaigns');
export const EraseAutomationData = erasing('EraseAutomationData', 'automation');

export const ReadSessionsData = reading('ReadSessionsData', 'sessions');
export const ReadOutboundData = reading('ReadOutboundData', 'outbound');
export const ReadInboxData = reading('ReadInboxData', 'inbox');
export const ReadWebhooksData = reading('ReadWebhooksData', 'webhooks');
export const ReadInsightsData = reading('ReadInsightsData', 'insights');
export const ReadCampaignsData = reading('ReadCampaignsData', 'campaigns');
export const ReadAutomationData = reading('ReadAutomationData', 'automation');

/** A service that holds something about people. */
export interface PersonalDataHolder {
  readonly erase: typeof EraseSessionsData;
  readonly read: typeof ReadSessionsData;
  /** Sends or receives: it is erased before the others, so that nothing new is told to them. */
  readonly sends?: boolean;
}

/** All who are asked to show and to erase what they hold, in the order in which an export shows it. New ones come last. */
export const personalDataHolders: readonly PersonalDataHolder[] = [
  { erase: EraseSessionsData, read: ReadSessionsData, sends: true },
  { erase: EraseInboxData, read: ReadInboxData },
  { erase: EraseOutboundData, read: ReadOutboundData, sends: true },
  { erase: EraseWebhooksData, read: ReadWebhooksData },
  { erase: EraseInsightsData, read: ReadInsightsData },
  { erase: EraseCampaignsData, read: ReadCampaignsData, sends: true },
  { erase: EraseAutomationData, read: ReadAutomationData, sends: true },
];
