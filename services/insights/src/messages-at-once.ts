/** Facts of messages that are taken in at the same time: all that hear of a kind take it the same way. */
export const messagesAtOnce = 500;
