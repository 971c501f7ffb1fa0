import { SearchX } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

export default function NotFound() {
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      heading="h1"
      title="Nothing is at this address"
      action={
        <Link href="/" className={buttonClass('primary')}>
          Show projects
        </Link>
      }
    >
      The project or run may have been deleted, or the link is cut short.
    </EmptyState>
  );
}
