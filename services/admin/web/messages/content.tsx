import { useState, type ReactNode } from 'react';
import { Dialog } from '../kit/dialog.tsx';
import { Icon, type IconName } from '../kit/icon.tsx';
import { tamed } from '../language/isolated.ts';
import { useFormats, useTexts } from '../language/language.tsx';
import { About, Choices, Chosen, Referral } from './beside.tsx';
import { mediaAddress, usePicture, sizeWords } from './media.ts';
import type { Content, Message } from './shapes.ts';
import { contentTexts } from './texts.ts';

/** Longer texts are shown in part first. Characters. */
const muchText = 3_000;

/** A content in a few words, for lists and quotes. */
export function useSummary(): (content: Content) => string {
  const t = useTexts(contentTexts);
  const words = (content: Content): string => {
    switch (content.type) {
      case 'text':
        return content.text.slice(0, 200);
      case 'image':
      case 'video':
        return content.caption?.slice(0, 200) ?? t(content.type);
      case 'document':
        return content.caption?.slice(0, 200) ?? content.filename ?? t('document');
      case 'audio':
        return t(content.ptt === true ? 'voice' : 'audio');
      case 'location':
        return content.name ?? t('location');
      case 'contact':
        return content.contacts[0]?.name ?? t('contact');
      case 'poll':
        return content.question;
      case 'unsupported':
        return unsupportedWords(t, content).slice(0, 200);
      case 'sticker':
      case 'deleted':
        return t(content.type);
      default:
        return '';
    }
  };
  return (content) => tamed(words(content));
}

type Unsupported = Extract<Content, { type: 'unsupported' }>;

/** Says what kind of message it is, or why its content is not here. */
function unsupportedWords(
  t: ReturnType<typeof useTexts<typeof contentTexts>>,
  { kind, reason, text }: Unsupported,
): string {
  if (kind !== 'unavailable' || reason === undefined) return text ?? t('unsupported', { kind });
  return t(reason);
}

interface ContentProps {
  readonly content: Content;
  readonly votes?: Message['votes'];
}

/** Content of a message, with the ad that it comes from and the choices that it offers or answers. */
export function ContentView({ content, votes }: ContentProps) {
  return (
    <>
      {'referral' in content && content.referral !== undefined && <Referral {...content.referral} />}
      <Main content={content} votes={votes} />
      {'chosen' in content && content.chosen !== undefined && <Chosen {...content.chosen} />}
      {'choices' in content && content.choices !== undefined && <Choices choices={content.choices} />}
    </>
  );
}

function Main({ content, votes }: ContentProps) {
  const t = useTexts(contentTexts);
  switch (content.type) {
    case 'text':
      return (
        <>
          <Words text={content.text} />
          {content.preview && <Preview {...content.preview} />}
        </>
      );
    case 'image':
      return <Pictured url={content.media?.url ?? content.url} label={t('image')} caption={content.caption} />;
    case 'sticker':
      return <Pictured url={content.media.url} label={t('sticker')} />;
    case 'video':
      return (
        <>
          <Played url={content.media?.url ?? content.url} label={t('video')} isVideo />
          {content.caption !== undefined && <Words text={content.caption} />}
        </>
      );
    case 'audio':
      return <Played url={content.media?.url ?? content.url} label={t(content.ptt === true ? 'voice' : 'audio')} />;
    case 'document':
      return (
        <>
          <Attached
            url={content.media?.url ?? content.url}
            name={content.filename ?? content.media?.filename ?? t('document')}
            size={content.media?.size}
          />
          {content.caption !== undefined && <Words text={content.caption} />}
        </>
      );
    case 'location':
      return <Place {...content} />;
    case 'contact':
      return <Cards contacts={content.contacts} />;
    case 'poll':
      return <Poll question={content.question} options={content.options} votes={votes} />;
    case 'deleted':
      return <p className="text-muted italic">{t('deleted')}</p>;
    case 'unsupported':
      return (
        <>
          {content.text === undefined ? (
            <p className="text-muted italic">{unsupportedWords(t, content)}</p>
          ) : (
            <Words text={content.text} />
          )}
          {content.about !== undefined && <About about={content.about} />}
        </>
      );
    default:
      return null;
  }
}

/** A text as it was written; addresses of web pages in it are links, and nothing else is. */
function Words({ text }: { readonly text: string }) {
  const t = useTexts(contentTexts);
  const [isWhole, setWhole] = useState(text.length <= muchText);
  const shown = isWhole ? text : `${text.slice(0, muchText)}…`;
  return (
    <div dir="auto" className="break-words whitespace-pre-wrap">
      {linked(shown)}
      {!isWhole && (
        <button type="button" className="link block cursor-pointer" onClick={() => setWhole(true)}>
          {t('more')}
        </button>
      )}
    </div>
  );
}

function linked(text: string): ReactNode[] {
  return text.split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/g).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={index} href={part} target="_blank" rel="noopener noreferrer nofollow" className="underline">
        {part}
      </a>
    ),
  );
}

function Preview({
  url,
  title,
  description,
}: {
  readonly url: string;
  readonly title?: string;
  readonly description?: string;
}) {
  return (
    <div dir="auto" className="mt-1 grid gap-0.5 rounded-lg bg-sunken p-2 text-xs">
      {title !== undefined && <p className="font-medium">{title}</p>}
      {description !== undefined && <p className="line-clamp-3 text-muted">{description}</p>}
      <p className="truncate text-muted">{url}</p>
    </div>
  );
}

/** Media that cannot be shown: why, or a link to where they lie. */
function Elsewhere({ url, label }: { readonly url: string | undefined; readonly label: string }) {
  const t = useTexts(contentTexts);
  const isWeb = url !== undefined && /^https?:\/\//.test(url);
  return (
    <p className="flex items-center gap-2 text-muted">
      <Icon name={isWeb ? 'external' : 'alert'} />
      {isWeb ? (
        <a href={url} target="_blank" rel="noopener noreferrer nofollow" className="underline">
          {label}
        </a>
      ) : (
        <span>
          {label}: {t('unavailable')}
        </span>
      )}
    </p>
  );
}

interface PicturedGiven {
  readonly url: string | undefined;
  readonly label: string;
  readonly caption?: string | undefined;
}

function Pictured({ url, label, caption }: PicturedGiven) {
  const address = mediaAddress(url);
  return (
    <>
      {address === undefined ? (
        <Elsewhere url={url} label={label} />
      ) : (
        <Picture address={address} name={caption ?? label} label={label} />
      )}
      {caption !== undefined && <Words text={caption} />}
    </>
  );
}

function Picture({
  address,
  name,
  label,
}: {
  readonly address: string;
  readonly name: string;
  readonly label: string;
}) {
  const t = useTexts(contentTexts);
  const { ref, source, isMissing } = usePicture(address);
  const [isLarge, setLarge] = useState(false);
  return (
    <div ref={ref} className="grid h-52 w-64 max-w-full place-items-center overflow-hidden rounded-lg bg-sunken">
      {source === undefined ? (
        isMissing && <Elsewhere url={undefined} label={label} />
      ) : (
        <button
          type="button"
          aria-label={t('openPicture', { name: label })}
          className="size-full cursor-zoom-in"
          onClick={() => setLarge(true)}
        >
          <img src={source} alt={name.slice(0, 200)} className="size-full object-cover" />
        </button>
      )}
      {isLarge && (
        <Dialog title={label} wide onClose={() => setLarge(false)}>
          <img src={source} alt={name.slice(0, 200)} className="mx-auto max-h-[70dvh] max-w-full object-contain" />
        </Dialog>
      )}
    </div>
  );
}

function Played({
  url,
  label,
  isVideo = false,
}: {
  readonly url: string | undefined;
  readonly label: string;
  readonly isVideo?: boolean;
}) {
  const address = mediaAddress(url);
  if (address === undefined) return <Elsewhere url={url} label={label} />;
  return isVideo ? (
    <video
      controls
      preload="none"
      src={address}
      aria-label={label}
      className="h-52 w-64 max-w-full rounded-lg bg-black"
    />
  ) : (
    <audio controls preload="none" src={address} aria-label={label} className="w-64 max-w-full" />
  );
}

function Attached({
  url,
  name,
  size,
}: {
  readonly url: string | undefined;
  readonly name: string;
  readonly size?: number | undefined;
}) {
  const t = useTexts(contentTexts);
  const { number } = useFormats();
  const address = mediaAddress(url);
  if (address === undefined) return <Elsewhere url={url} label={name} />;
  return (
    <a
      href={address}
      download={name}
      aria-label={t('download', { name })}
      className="flex items-center gap-3 rounded-lg bg-sunken p-3 text-ink"
    >
      <Icon name="document" size={24} />
      <span className="min-w-0">
        <span dir="auto" className="block font-medium break-all">
          {name}
        </span>
        {size !== undefined && <span className="text-xs text-muted">{sizeWords(size, number)}</span>}
      </span>
      <Icon name="download" />
    </a>
  );
}

interface PlaceGiven {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
}

function Place({ latitude, longitude, name, address }: PlaceGiven) {
  const t = useTexts(contentTexts);
  const at = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  return (
    <Piece icon="location">
      <p className="font-medium">{name ?? t('location')}</p>
      {address !== undefined && <p className="text-muted">{address}</p>}
      <p dir="ltr" className="text-xs text-muted">
        {at}
      </p>
      <a
        className="underline"
        target="_blank"
        rel="noopener noreferrer"
        href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
      >
        {t('openMap')}
      </a>
    </Piece>
  );
}

type CardsGiven = Pick<Extract<Content, { type: 'contact' }>, 'contacts'>;

function Cards({ contacts }: CardsGiven) {
  return contacts.map(({ name, phone, phones, organization, email }, index) => (
    <Piece key={index} icon="contacts">
      <p dir="auto" className="font-medium">
        {name}
      </p>
      {organization !== undefined && (
        <p dir="auto" className="text-muted">
          {organization}
        </p>
      )}
      {(phones ?? (phone === undefined ? [] : [{ phone, label: undefined }])).map((one) => (
        <p key={one.phone}>
          <span dir="ltr">{one.phone}</span>
          {one.label !== undefined && <span className="text-muted"> {one.label}</span>}
        </p>
      ))}
      {email !== undefined && <p className="text-muted">{email}</p>}
    </Piece>
  ));
}

interface PollGiven {
  readonly question: string;
  readonly options: readonly string[];
  readonly votes: Message['votes'];
}

function Poll({ question, options, votes = [] }: PollGiven) {
  const t = useTexts(contentTexts);
  return (
    <Piece icon="poll">
      <p dir="auto" className="font-medium">
        {question}
      </p>
      <ul className="grid gap-1">
        {options.map((option) => {
          const count = votes.filter((vote) => vote.options.includes(option)).length;
          return (
            <li key={option} className="flex justify-between gap-4">
              <span dir="auto">{option}</span>
              <span className="text-muted">{t('votes', { count })}</span>
            </li>
          );
        })}
      </ul>
    </Piece>
  );
}

function Piece({ icon, children }: { readonly icon: IconName; readonly children: ReactNode }) {
  return (
    <div className="flex gap-3 rounded-lg bg-sunken p-3 text-ink">
      <Icon name={icon} size={20} />
      <div className="grid min-w-0 gap-0.5">{children}</div>
    </div>
  );
}
