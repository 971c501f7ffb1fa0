'use client';

import { unwrapAction } from '@/app/call-action';
import { NoticesView, type NoticesViewProps } from '@/components/notices/notices-view';
import { chooseGroup, markNotices } from './actions';

const services: NoticesViewProps['services'] = {
  mark: (ids) => unwrapAction(() => markNotices({ ids: ids === 'all' ? 'all' : [...ids] })),
  choose: (choice) => unwrapAction(() => chooseGroup(choice)),
};

export function NoticesClient({ choices }: Pick<NoticesViewProps, 'choices'>) {
  return <NoticesView choices={choices} services={services} />;
}
