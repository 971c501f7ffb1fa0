import { Download } from 'lucide-react';
import { Payload } from '@/components/run/payload';
import { buttonClass } from '@/components/ui/button';
import { isRecord, type Json, parseJson } from '@/lib/base/json';

/** Pictures that browsers show and that run no code. */
const shownPicture = /^image\/(png|jpeg|gif|webp)$/;
const anyMedia = /^[\w.+-]+\/[\w.+-]+$/;

/** Shows one block of an answer: a text, a picture, something to download, or what it is as JSON. */
export function ContentBlock({ block, isError }: { readonly block: unknown; readonly isError: boolean }) {
  const given: Readonly<Record<string, unknown>> = isRecord(block) ? block : {};
  if (given.type === 'text' && typeof given.text === 'string') {
    return <Payload title="Text" value={given.text} {...(isError ? { tone: 'bad' } : { look: 'prose' })} />;
  }
  const { type, data, mimeType } = given;
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string') {
    return <Media kind={type} mimeType={mimeType} data={data} />;
  }
  const json: Json = parseJson(JSON.stringify(block)) ?? null;
  return <Payload title={typeof type === 'string' ? type.replaceAll('_', ' ') : 'Block'} value={json} />;
}

function Media(props: { readonly kind: 'image' | 'audio'; readonly mimeType: string; readonly data: string }) {
  const { kind, mimeType, data } = props;
  const href = `data:${anyMedia.test(mimeType) ? mimeType : 'application/octet-stream'};base64,${data}`;
  return (
    <figure className="flex min-w-0 flex-col items-start gap-2">
      <figcaption className="font-medium text-2xs text-muted">
        {kind === 'image' ? 'Picture' : 'Sound'}, {mimeType}
      </figcaption>
      {shownPicture.test(mimeType) ? (
        // biome-ignore lint/performance/noImgElement: it comes out of the answer, not from a server
        <img src={href} alt="What the tool answered" className="max-h-96 max-w-full rounded border" />
      ) : null}
      <a href={href} download={`answer.${mimeType.split('/')[1] ?? 'bin'}`} className={buttonClass('secondary', 'sm')}>
        <Download aria-hidden className="size-3.5" />
        Download
      </a>
    </figure>
  );
}
