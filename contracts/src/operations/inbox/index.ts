export * from './get-message.ts';
export * from './list-profile-messages.ts';
export * from './list-conversation-messages.ts';
export * from './list-conversations.ts';
export * from './get-unread-count.ts';
export * from './get-conversation.ts';
export * from './read-conversation.ts';
export * from './contacts/index.ts';
export { Conversation, MessageRecord, StoredMessageType } from './shapes.ts';
