import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proto } from '@whiskeysockets/baileys';
import type { IncomingContentOf } from '@messaging-gateway/contracts';
import { contentsTest, type ContentsTest } from '../../testing/contents-test.ts';
import { newNetworkId, until } from '../../testing/engine-harness.ts';

type Raw = Record<string, unknown>;

const phone = '4915120000320';
const contact = '4915100000320';
const secret = Buffer.alloc(32, 7).toString('base64');

/** Fields that accompany a content. */
const accompanying = [
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'messageContextInfo',
];
/** A content that says something, for fields that say nothing when they are empty. */
const filled: Readonly<Record<string, unknown>> = {
  conversation: 'Hello',
  extendedTextMessage: { text: 'Hello' },
  locationMessage: { degreesLatitude: 1, degreesLongitude: 2 },
  liveLocationMessage: { degreesLatitude: 1, degreesLongitude: 2 },
  contactMessage: { displayName: 'Ada', vcard: 'BEGIN:VCARD\nEND:VCARD' },
  templateMessage: { hydratedTemplate: { hydratedContentText: 'Hello' } },
  highlyStructuredMessage: { hydratedHsm: { hydratedTemplate: { hydratedContentText: 'Hello' } } },
  interactiveMessage: { body: { text: 'Hello' } },
  buttonsMessage: { contentText: 'Hello' },
  listMessage: { description: 'Hello' },
  buttonsResponseMessage: { selectedDisplayText: 'Hello' },
  listResponseMessage: { title: 'Hello' },
  templateButtonReplyMessage: { selectedDisplayText: 'Hello' },
  interactiveResponseMessage: { body: { text: 'Hello' } },
  richResponseMessage: { submessages: [{ messageText: 'Hello' }] },
  deviceSentMessage: { destinationJid: `${contact}@s.whatsapp.net`, message: { conversation: 'Hello' } },
  reactionMessage: { key: { id: 'A', fromMe: false }, text: 'x' },
  protocolMessage: { key: { id: 'A', fromMe: false }, type: 0 },
};

const text = 'text';
const ignored = 'ignored';
const unsupported = 'unsupported';
/** Outcome of each field of the protocol's message: type of the content, `change` or `ignored`. Wrappers hold a text. */
const outcomes: Readonly<Record<string, string>> = {
  conversation: text,
  imageMessage: 'image',
  contactMessage: 'contact',
  locationMessage: 'location',
  extendedTextMessage: text,
  documentMessage: 'document',
  audioMessage: 'audio',
  videoMessage: 'video',
  call: ignored,
  chat: ignored,
  protocolMessage: 'change',
  contactsArrayMessage: 'contact',
  highlyStructuredMessage: text,
  sendPaymentMessage: unsupported,
  liveLocationMessage: 'location',
  requestPaymentMessage: unsupported,
  declinePaymentRequestMessage: unsupported,
  cancelPaymentRequestMessage: unsupported,
  templateMessage: text,
  stickerMessage: 'image',
  groupInviteMessage: unsupported,
  templateButtonReplyMessage: text,
  productMessage: unsupported,
  deviceSentMessage: text,
  listMessage: text,
  viewOnceMessage: text,
  orderMessage: unsupported,
  listResponseMessage: text,
  ephemeralMessage: text,
  invoiceMessage: unsupported,
  buttonsMessage: text,
  buttonsResponseMessage: text,
  paymentInviteMessage: unsupported,
  interactiveMessage: text,
  reactionMessage: 'change',
  stickerSyncRmrMessage: ignored,
  interactiveResponseMessage: text,
  pollCreationMessage: 'poll',
  pollUpdateMessage: 'unreadable',
  keepInChatMessage: ignored,
  documentWithCaptionMessage: text,
  requestPhoneNumberMessage: unsupported,
  viewOnceMessageV2: text,
  encReactionMessage: 'unreadable',
  editedMessage: text,
  viewOnceMessageV2Extension: text,
  pollCreationMessageV2: 'poll',
  scheduledCallCreationMessage: unsupported,
  groupMentionedMessage: text,
  pinInChatMessage: ignored,
  pollCreationMessageV3: 'poll',
  scheduledCallEditMessage: ignored,
  ptvMessage: 'video',
  botInvokeMessage: text,
  callLogMesssage: ignored,
  messageHistoryBundle: ignored,
  encCommentMessage: ignored,
  bcallMessage: ignored,
  lottieStickerMessage: text,
  eventMessage: unsupported,
  encEventResponseMessage: 'unreadable',
  commentMessage: ignored,
  newsletterAdminInviteMessage: unsupported,
  placeholderMessage: ignored,
  secretEncryptedMessage: ignored,
  albumMessage: ignored,
  eventCoverImage: ignored,
  stickerPackMessage: unsupported,
  statusMentionMessage: ignored,
  pollResultSnapshotMessage: ignored,
  pollCreationOptionImageMessage: ignored,
  associatedChildMessage: text,
  groupStatusMentionMessage: ignored,
  pollCreationMessageV4: text,
  statusAddYours: ignored,
  groupStatusMessage: text,
  richResponseMessage: text,
  statusNotificationMessage: ignored,
  limitSharingMessage: ignored,
  botTaskMessage: ignored,
  questionMessage: text,
  messageHistoryNotice: ignored,
  groupStatusMessageV2: text,
  botForwardedMessage: text,
  statusQuestionAnswerMessage: ignored,
  questionReplyMessage: text,
  questionResponseMessage: ignored,
  statusQuotedMessage: ignored,
  statusStickerInteractionMessage: ignored,
  pollCreationMessageV5: 'poll',
  newsletterFollowerInviteMessageV2: unsupported,
  pollResultSnapshotMessageV3: ignored,
};

describe('kinds of received messages', () => {
  let test: ContentsTest;

  beforeAll(async () => {
    test = await contentsTest(phone, contact);
  });
  afterAll(() => test.stop());

  const received = async (message: Raw) => (await test.received({ type: 'raw', message })).data;
  const content = async (message: Raw): Promise<IncomingContentOf> => (await received(message)).content;

  describe('every field of the protocol', () => {
    const fields = Object.entries(proto.Message.prototype)
      .filter(([name, value]) => value === null && !accompanying.includes(name))
      .map(([name]) => name);
    const isWrapper = (name: string): boolean =>
      proto.Message.fromObject({ [name]: { message: {} } })[name as keyof proto.IMessage] instanceof
      proto.Message.FutureProofMessage;

    it('has an outcome', () => {
      expect(Object.keys(outcomes).toSorted()).toEqual(fields.toSorted());
      expect(fields.filter((name) => name !== 'call' && name !== 'conversation' && isWrapper(name))).toHaveLength(23);
    });

    it('arrives as its outcome', async () => {
      const found: Record<string, string> = {};
      for (const name of fields) {
        const id = newNetworkId();
        const isWrapped = name !== 'conversation' && isWrapper(name);
        const message = { [name]: filled[name] ?? (isWrapped ? { message: { conversation: 'Hello' } } : {}) };
        const { facts, ignored: passed, unreadable } = test.profile;
        const before = { facts: facts.length, ignored: passed.length, unreadable: unreadable.length };
        await test.simulator.sendFromContact(contact, { to: phone, id, content: { type: 'raw', message } });
        found[name] = await until(() => {
          if (passed.slice(before.ignored).includes(name)) return ignored;
          if (unreadable.length > before.unreadable) return 'unreadable';
          const fact = facts
            .slice(before.facts)
            .find((one) => one.kind === 'change' || (one.kind === 'message' && one.data.networkMessageId === id));
          return fact?.kind === 'message' ? fact.data.content.type : fact?.kind;
        });
      }
      expect(found).toEqual(outcomes);
    });
  });

  it('ignores an empty text, and counts it', async () => {
    expect(await test.passedOver({ conversation: '' })).toBe('conversation');
  });

  it('reads a Lottie sticker', async () => {
    const stickerMessage = { mimetype: 'application/was', fileLength: 9 };
    expect(await content({ lottieStickerMessage: { message: { stickerMessage } } })).toEqual({
      type: 'image',
      content: { sticker: true, animated: true, media: { mimetype: 'application/was', size: 9 } },
    });
  });

  it.each(['pollCreationMessageV4', 'pollCreationMessageV5'])('reads %s and votes in it', async (name) => {
    const poll = {
      name: 'Days?',
      options: [{ optionName: 'Mon' }, { optionName: 'Tue' }],
      selectableOptionsCount: 1,
    };
    const message = { [name]: name.endsWith('4') ? { message: { pollCreationMessage: poll } } : poll };
    const data = await received({ ...message, messageContextInfo: { messageSecret: secret } });
    expect(data.content).toEqual({ type: 'poll', content: { question: 'Days?', options: ['Mon', 'Tue'] } });
    const { networkMessageId: target } = data;
    expect(await test.changed({ type: 'vote', target, options: ['Tue'] })).toMatchObject({
      change: { type: 'voted', options: ['Tue'] },
    });
  });
});
