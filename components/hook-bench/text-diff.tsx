import { classNames } from '@/components/ui/class-names';
import { type DiffLine, diffLines } from '@/components/ui/line-diff';
import { LineText } from '@/components/ui/line-text';
import { VisibleText } from '@/components/ui/visible-text';

const marks: Record<DiffLine['kind'], readonly [sign: string, look: string]> = {
  same: [' ', 'text-muted'],
  added: ['+', 'bg-ok-soft text-ok'],
  removed: ['−', 'bg-bad-soft text-bad'],
  skipped: ['⋯', 'text-faint'],
};

/** Shows how a text has changed, line by line. */
export function TextDiff(props: { readonly label: string; readonly before: string; readonly after: string }) {
  return (
    <Pre label={props.label}>
      {diffLines(props.before, props.after).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one computed text, never reordered
        <div key={index} className={classNames('px-2', marks[line.kind][1])}>
          {marks[line.kind][0]} <LineText line={line} />
        </div>
      ))}
    </Pre>
  );
}

/** Shows a text as it is. */
export function PlainText(props: { readonly label: string; readonly text: string; readonly tone?: 'bad' | undefined }) {
  return (
    <Pre label={props.label}>
      <div className={classNames('px-2', props.tone === 'bad' ? 'text-bad' : 'text-ink')}>
        {props.text === '' ? <span className="text-faint">Empty</span> : <VisibleText text={props.text} />}
      </div>
    </Pre>
  );
}

function Pre(props: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <figure aria-label={props.label} className="min-w-0">
      <figcaption className="mb-0.5 font-medium text-2xs text-muted">{props.label}</figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        className="max-h-72 overflow-auto whitespace-pre-wrap break-words rounded border bg-sunken py-1 font-mono text-xs leading-5"
      >
        {props.children}
      </pre>
    </figure>
  );
}
