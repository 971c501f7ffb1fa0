import { createContext, memo, type ReactNode, useContext } from 'react';
import { type MarkdownNode, readMarkdown } from '@/lib/base/markdown';
import { type TextUse, visibleText } from '@/lib/base/visible-text';
import { classNames } from './class-names';
import { CopyButton } from './copy-button';
import { HiddenMark } from './visible-text';

/** Draws a piece of a text with what can be opened in it. `plain` draws the rest of it. */
export type DrawLinks = (text: string, plain: (piece: string) => ReactNode) => ReactNode;

const LinksContext = createContext<DrawLinks | undefined>(undefined);

export interface MarkdownProps {
  readonly text: string;
  readonly drawLinks?: DrawLinks | undefined;
}

/** Shows a text that was written in Markdown. Line breaks are kept, because models mean them. */
export const Markdown = memo(function Markdown(props: MarkdownProps) {
  return (
    <LinksContext value={props.drawLinks}>
      <div className="flex min-w-0 flex-col gap-2.5 break-words text-ink text-sm [&>*]:min-w-0">
        {drawn(readMarkdown(props.text))}
      </div>
    </LinksContext>
  );
});

function drawn(nodes: readonly MarkdownNode[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end, and its parts have no other name
  return nodes.map((node, index) => <Part key={index} node={node} />);
}

/** Marks the characters that nobody sees. The direction of the text is that of its paragraph, so its parts have none of their own. */
function Written({ text, use }: { readonly text: string; readonly use?: TextUse }): ReactNode {
  const drawLinks = useContext(LinksContext);
  const plain = (piece: string) => marked(piece, use);
  return drawLinks === undefined ? plain(text) : drawLinks(text, plain);
}

function marked(text: string, use: TextUse | undefined): ReactNode {
  return visibleText(text, use).map((part, index) =>
    part.hidden === undefined ? (
      part.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, never reordered
      <HiddenMark key={index} character={part.hidden} times={[...part.text].length} />
    ),
  );
}

const headingTags = ['h3', 'h4', 'h5', 'h6'] as const;
const headings: readonly string[] = [
  'font-semibold text-ink text-lg',
  'font-semibold text-base text-ink',
  'font-semibold text-ink text-sm',
];

function Part({ node }: { readonly node: MarkdownNode }): ReactNode {
  switch (node.kind) {
    case 'text':
      return <Written text={node.text} use="prose" />;
    case 'break':
      return <br />;
    case 'rule':
      return <hr />;
    case 'code':
      return (
        <code className="rounded-sm bg-sunken px-1 py-px font-mono text-xs">
          <Written text={node.text} />
        </code>
      );
    case 'fence':
      return <Fence text={node.text} language={node.language} />;
    case 'paragraph':
      return <p className="whitespace-pre-line">{drawn(node.children)}</p>;
    case 'quote':
      return <blockquote className="flex flex-col gap-2 border-l-2 pl-3 text-muted">{drawn(node.children)}</blockquote>;
    case 'heading': {
      // The headings of an answer are below those of the page.
      const Heading = headingTags[node.level - 1] ?? 'h6';
      return <Heading className={headings[Math.min(node.level, 3) - 1]}>{drawn(node.children)}</Heading>;
    }
    case 'list':
      return node.start === undefined ? (
        <ul className="flex list-disc flex-col gap-1 pl-5 marker:text-faint">{drawn(node.children)}</ul>
      ) : (
        <ol start={node.start} className="flex list-decimal flex-col gap-1 pl-6 marker:text-muted">
          {drawn(node.children)}
        </ol>
      );
    case 'item':
      return (
        <li className={classNames('[&>*+*]:mt-1.5', node.done !== undefined && '-ml-5 flex list-none gap-2')}>
          {node.done !== undefined && (
            <input type="checkbox" disabled checked={node.done} aria-label={node.done ? 'Done' : 'Not done'} />
          )}
          {drawn(node.children)}
        </li>
      );
    case 'table':
      return <TableOf rows={node.children} />;
    case 'row':
    case 'cell':
      return drawn(node.children);
    case 'strong':
      return <strong className="font-semibold">{drawn(node.children)}</strong>;
    case 'emphasis':
      return <em>{drawn(node.children)}</em>;
    case 'strike':
      return <s>{drawn(node.children)}</s>;
    case 'link':
      return (
        <a
          href={node.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="text-accent underline underline-offset-2"
        >
          {/* A link holds no other. */}
          <LinksContext value={undefined}>{drawn(node.children)}</LinksContext>
        </a>
      );
  }
}

function Fence({ text, language }: { readonly text: string; readonly language: string }) {
  return (
    <div className="relative">
      {language !== '' && <span className="sr-only">Code in {language}</span>}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        className="max-h-96 overflow-auto rounded border bg-sunken px-3 py-2 pr-9 font-mono text-xs"
      >
        <Written text={text} />
      </pre>
      <span className="absolute top-1 right-1">
        <CopyButton text={text} label="Copy code" />
      </span>
    </div>
  );
}

function TableOf({ rows }: { readonly rows: readonly MarkdownNode[] }) {
  const [head, ...body] = rows.map((row) => ('children' in row ? row.children : []));
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      className="overflow-x-auto"
    >
      <table className="border-collapse text-sm [&_td]:border [&_td]:px-2 [&_td]:py-1 [&_th]:border [&_th]:bg-ground [&_th]:px-2 [&_th]:py-1 [&_th]:text-left [&_th]:font-medium">
        <thead>
          <tr>
            {head?.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
              <th key={at} scope="col">
                <Part node={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
            <tr key={row}>
              {cells.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
                <td key={at}>
                  <Part node={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
