import type { proto } from '@whiskeysockets/baileys';
import type { IncomingContentOf } from '@messaging-gateway/contracts';

type TextContent = Extract<IncomingContentOf, { type: 'text' }>['content'];
type Choice = NonNullable<TextContent['choices']>[number];
type Chosen = NonNullable<TextContent['chosen']>;

/** A message with buttons or a list: texts, choices, and the media above them. */
export interface ChoiceMessage {
  /** Title, text and footer, one per line. */
  readonly text: string;
  readonly choices: readonly Choice[];
  /** Message that holds nothing but the media of the header. */
  readonly header?: proto.IMessage;
  readonly contextInfo?: proto.IContextInfo | null | undefined;
}

interface Answer {
  /** Text that the sender's client shows. */
  readonly text: string;
  readonly chosen?: Chosen;
  readonly contextInfo?: proto.IContextInfo | null | undefined;
}

const maxChoices = 100;
type Texts = readonly (string | null | undefined)[];

/** Lines of a text, without missing ones. */
export const lines = (...texts: Texts): string =>
  texts
    .map((text) => text?.trim())
    .filter((text) => text !== undefined && text !== '')
    .join('\n');

/** Undefined for a message without choices. */
export function choicesOf(message: proto.IMessage): ChoiceMessage | undefined {
  const template = message.templateMessage ?? message.highlyStructuredMessage?.hydratedHsm;
  const { interactiveMessage, buttonsMessage, listMessage } = message;
  if (template) return inTemplate(template);
  if (interactiveMessage) return inInteractive(interactiveMessage);
  if (buttonsMessage) return inButtons(buttonsMessage);
  return listMessage ? inList(listMessage) : undefined;
}

interface Header {
  readonly imageMessage?: proto.Message.IImageMessage | null;
  readonly videoMessage?: proto.Message.IVideoMessage | null;
  readonly documentMessage?: proto.Message.IDocumentMessage | null;
  readonly locationMessage?: proto.Message.ILocationMessage | null;
  readonly productMessage?: proto.Message.IProductMessage | null;
}

/** Media of a header. A place or a product in a header is text: no message type has both. */
function headerOf({ imageMessage, videoMessage, documentMessage }: Header): Pick<ChoiceMessage, 'header'> {
  if (imageMessage) return { header: { imageMessage } };
  if (videoMessage) return { header: { videoMessage } };
  return documentMessage ? { header: { documentMessage } } : {};
}
const headerText = ({ locationMessage, productMessage }: Header): string =>
  lines(locationMessage?.name, locationMessage?.address, productMessage?.product?.title);

const made = (
  header: Header,
  texts: Texts,
  choices: readonly (Choice | undefined)[],
  contextInfo: ChoiceMessage['contextInfo'],
): ChoiceMessage => ({
  text: lines(headerText(header), ...texts),
  choices: choices.filter((choice) => choice !== undefined).slice(0, maxChoices),
  ...headerOf(header),
  contextInfo,
});

function inTemplate(template: proto.Message.ITemplateMessage): ChoiceMessage {
  const { hydratedTemplate, hydratedFourRowTemplate, fourRowTemplate, interactiveMessageTemplate } = template;
  const context = template.contextInfo;
  const hydrated = hydratedTemplate ?? hydratedFourRowTemplate;
  if (hydrated) {
    const { hydratedTitleText, hydratedContentText, hydratedFooterText, hydratedButtons } = hydrated;
    const texts = [hydratedTitleText, hydratedContentText, hydratedFooterText];
    return made(hydrated, texts, (hydratedButtons ?? []).map(templateChoice), context);
  }
  if (interactiveMessageTemplate) {
    const interactive = inInteractive(interactiveMessageTemplate);
    return { ...interactive, contextInfo: interactive.contextInfo ?? context };
  }
  const { highlyStructuredMessage, content, footer, buttons } = fourRowTemplate ?? {};
  const texts = [highlyStructuredMessage, content, footer].map(structuredText);
  return made(fourRowTemplate ?? {}, texts, (buttons ?? []).map(unhydratedChoice), context);
}

/** Text of a business message that the sender's client did not fill in: what was to be filled in, or its name. */
const structuredText = (message: proto.Message.IHighlyStructuredMessage | null | undefined): string =>
  lines(...(message?.params ?? [])) || (message?.elementName ?? '');

function templateChoice({ quickReplyButton, urlButton, callButton }: proto.IHydratedTemplateButton) {
  if (quickReplyButton) return reply(quickReplyButton.displayText, quickReplyButton.id);
  if (urlButton) return url(urlButton.displayText, urlButton.url);
  return callButton ? call(callButton.displayText, callButton.phoneNumber) : undefined;
}

const unhydratedChoice = ({ quickReplyButton, urlButton, callButton }: proto.ITemplateButton): Choice | undefined =>
  templateChoice({
    ...(quickReplyButton && {
      quickReplyButton: { displayText: structuredText(quickReplyButton.displayText), id: quickReplyButton.id ?? null },
    }),
    ...(urlButton && {
      urlButton: { displayText: structuredText(urlButton.displayText), url: structuredText(urlButton.url) },
    }),
    ...(callButton && {
      callButton: {
        displayText: structuredText(callButton.displayText),
        phoneNumber: structuredText(callButton.phoneNumber),
      },
    }),
  });

type Word = string | null | undefined;
const identified = (id: Word): { id?: string } => (id ? { id } : {});
const reply = (text: Word, id: Word): Choice => ({ kind: 'reply', ...identified(id), text: text ?? id ?? '' });
const url = (text: Word, address: Word, id?: Word): Choice => ({
  kind: 'url',
  ...identified(id),
  text: text ?? address ?? '',
  ...(address && { url: address }),
});
const call = (text: Word, number: Word, id?: Word): Choice => {
  const phone = number?.replaceAll(/\D/g, '');
  return { kind: 'call', ...identified(id), text: text ?? number ?? '', ...(phone && { phone }) };
};

function inInteractive(message: proto.Message.IInteractiveMessage): ChoiceMessage {
  const { header, body, footer, nativeFlowMessage, carouselMessage, contextInfo } = message;
  const cards = (carouselMessage?.cards ?? []).map(inInteractive);
  const choices = (nativeFlowMessage?.buttons ?? []).flatMap(({ name, buttonParamsJson }) =>
    nativeChoices(name ?? '', parsed(buttonParamsJson)),
  );
  const texts = [header?.title, header?.subtitle, body?.text, ...cards.map(({ text }) => text), footer?.text];
  return made(header ?? {}, texts, [...choices, ...cards.flatMap((card) => card.choices)], contextInfo);
}

type Params = Readonly<Record<string, unknown>>;
const record = (value: unknown): Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const word = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

/** JSON that another client wrote: anything can be in it. */
function parsed(json: Word): Params {
  try {
    return record(JSON.parse(json ?? ''));
  } catch {
    return {};
  }
}

/** Choices of one button of a native flow. Buttons without a text (limits, shortcuts of the client) are none. */
function nativeChoices(name: string, params: Params): readonly Choice[] {
  const text = word(params['display_text']);
  const id = word(params['id']);
  switch (name) {
    case 'single_select':
      return list(params['sections']).flatMap((section) =>
        list(record(section)['rows']).map((row) => {
          const { title, id: rowId } = record(row);
          return { kind: 'list', ...identified(word(rowId)), text: word(title) ?? word(rowId) ?? '' };
        }),
      );
    case 'cta_url':
      return [url(text, word(params['url']) ?? word(params['merchant_url']), id)];
    case 'cta_call':
      return [call(text, word(params['phone_number']), id)];
    case 'cta_copy': {
      const code = word(params['copy_code']);
      return [{ kind: 'copy', ...identified(id), text: text ?? code ?? '', ...(code !== undefined && { code }) }];
    }
    case 'payment_info':
    case 'payment_key_info':
      return list(params['payment_settings']).flatMap(paymentChoice);
    default:
      return text === undefined ? [] : [reply(text, id)];
  }
}

/** Key or code of a payment that people copy, as Pix has them. */
function paymentChoice(setting: unknown): readonly Choice[] {
  const settings = record(setting);
  const fixed = record(settings['pix_static_code']);
  const dynamic = record(settings['pix_dynamic_code']);
  const code = word(fixed['key']) ?? word(dynamic['code']);
  if (code === undefined) return [];
  return [{ kind: 'copy', text: word(fixed['merchant_name']) ?? word(dynamic['merchant_name']) ?? 'Pix', code }];
}

function inButtons(message: proto.Message.IButtonsMessage): ChoiceMessage {
  const { text, contentText, footerText, buttons, contextInfo } = message;
  const choices = (buttons ?? []).flatMap(({ buttonId, buttonText, nativeFlowInfo }) =>
    nativeFlowInfo
      ? nativeChoices(nativeFlowInfo.name ?? '', {
          display_text: buttonText?.displayText,
          id: buttonId,
          ...parsed(nativeFlowInfo.paramsJson),
        })
      : [reply(buttonText?.displayText, buttonId)],
  );
  return made(message, [text, contentText, footerText], choices, contextInfo);
}

function inList(message: proto.Message.IListMessage): ChoiceMessage {
  const { title, description, footerText, sections, productListInfo, contextInfo } = message;
  const rows = (sections ?? []).flatMap(({ rows: inSection }) => inSection ?? []);
  const choices = rows.map(({ rowId, title: text }): Choice => ({
    kind: 'list',
    ...identified(rowId),
    text: text ?? rowId ?? '',
  }));
  const products = (productListInfo?.productSections ?? []).map((section) => section.title);
  return made({}, [title, description, ...products, footerText], choices, contextInfo);
}

/** Undefined for a message that answers no choices. */
export function answerOf(message: proto.IMessage): Answer | undefined {
  const { buttonsResponseMessage, listResponseMessage, templateButtonReplyMessage, interactiveResponseMessage } =
    message;
  if (buttonsResponseMessage) {
    const { selectedButtonId, selectedDisplayText, contextInfo } = buttonsResponseMessage;
    return answered(selectedDisplayText, selectedButtonId, contextInfo);
  }
  if (templateButtonReplyMessage) {
    const { selectedId, selectedDisplayText, contextInfo } = templateButtonReplyMessage;
    return answered(selectedDisplayText, selectedId, contextInfo);
  }
  if (listResponseMessage) {
    const { title, description, singleSelectReply, contextInfo } = listResponseMessage;
    return answered(title, singleSelectReply?.selectedRowId, contextInfo, description);
  }
  if (!interactiveResponseMessage) return undefined;
  const { body, nativeFlowResponseMessage, contextInfo } = interactiveResponseMessage;
  const params = parsed(nativeFlowResponseMessage?.paramsJson);
  const text = word(body?.text) ?? word(params['title']) ?? word(params['display_text']);
  return answered(text, word(params['id']), contextInfo, word(params['description']));
}

function answered(text: Word, id: Word, contextInfo: Answer['contextInfo'], description?: Word): Answer {
  const chosen = id ? { id, ...(text && { text }), ...(description && { description }) } : undefined;
  return { text: text ?? id ?? '', ...(chosen && { chosen }), contextInfo };
}
