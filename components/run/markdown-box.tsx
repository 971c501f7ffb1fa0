'use client';

import type { ReactNode } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Markdown, type MarkdownProps } from '@/components/ui/markdown';

interface MarkdownBoxProps extends MarkdownProps {
  readonly title: string;
  readonly className: string;
  /** Stands here until the code that reads Markdown is loaded. */
  readonly plain: ReactNode;
}

/** Shows a text with its Markdown drawn. */
export function MarkdownBox({ title, className, plain, ...markdown }: MarkdownBoxProps) {
  return (
    <section
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      className={classNames('overflow-auto rounded border bg-surface px-3 py-2', className)}
    >
      <Markdown {...markdown} />
    </section>
  );
}
