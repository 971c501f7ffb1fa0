'use client';

import { Bell, BellOff } from 'lucide-react';
import { IconButton } from '@/components/ui/icon-button';
import { Menu, MenuChoices } from '@/components/ui/menu';
import { showToast } from '@/components/ui/toast';
import { type NoticeChoice, useNoticeSetting } from './notice-setting';

/** Chooses whose questions this browser tells of. The browser is asked for its permission here, and nowhere else. */
export function NoticeMenu() {
  const { who, sound, setWho, setSound } = useNoticeSetting();
  const choose = (next: NoticeChoice) => {
    setWho(next);
    if (next !== 'none') void askBrowser();
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          size="sm"
          label={who === 'none' ? 'Notify me of new questions' : 'You are notified of new questions'}
          icon={who === 'none' ? <BellOff aria-hidden /> : <Bell aria-hidden />}
        />
      }
    >
      <MenuChoices
        label="New questions"
        value={who}
        onChange={choose}
        choices={[
          { value: 'all', label: 'Notify me of all' },
          { value: 'mine', label: 'Notify me of mine' },
          { value: 'none', label: 'Do not notify me' },
        ]}
      />
      <MenuChoices
        label="Sound"
        value={sound ? 'on' : 'off'}
        onChange={(next) => setSound(next === 'on')}
        choices={[
          { value: 'off', label: 'No sound' },
          { value: 'on', label: 'With a sound' },
        ]}
      />
    </Menu>
  );
}

async function askBrowser(): Promise<void> {
  const text = 'This browser shows no notifications of Callboard. New questions are announced only in its open pages.';
  if (!('Notification' in window)) return showToast({ text });
  const answer =
    Notification.permission === 'default' ? await Notification.requestPermission() : Notification.permission;
  if (answer !== 'granted') showToast({ text });
}
