import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';
import { go } from './router';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
  readonly prefetch?: boolean | null;
  readonly replace?: boolean;
  readonly scroll?: boolean;
  readonly ref?: Ref<HTMLAnchorElement>;
}

/** `next/link` on the stage: a click changes the address and loads nothing. */
export default function Link({ href, prefetch: _, replace, scroll: __, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
    if (event.defaultPrevented || opensElsewhere || rest.target === '_blank') return;
    event.preventDefault();
    go(href, replace === true ? 'replace' : 'push');
  };
  return <a {...rest} href={href} onClick={follow} />;
}

export function useLinkStatus(): { readonly pending: boolean } {
  return { pending: false };
}
