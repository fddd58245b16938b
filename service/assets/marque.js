// The pages' own script: what makes them handier, nothing that they need. Each part begins where the markup asks for it.
'use strict';

/** Buttons that copy the text of another element. */
function showCopyButtons(root) {
  for (const button of root.querySelectorAll('[data-copy]')) {
    if (navigator.clipboard) button.hidden = false;
  }
}

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-copy]');
  if (button) void copyFor(button);
});

async function copyFor(button) {
  const source = document.getElementById(button.dataset.copy);
  if (!source) return;
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Press Ctrl+C';
  }
  setTimeout(() => (button.textContent = label), 2000);
}

/** Alt and a letter press what carries the letter in `data-key`: a letter alone would act on what somebody dictates. */
document.addEventListener('keydown', (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || !event.code.startsWith('Key')) return;
  const target = document.querySelector(`[data-key="${event.code.slice(3).toLowerCase()}"]`);
  if (!target) return;
  event.preventDefault();
  target.focus();
  target.click();
});

/** The colors of all pages, at once. The server writes the choice into the next page. */
document.addEventListener('click', (event) => {
  const button = event.target.closest?.('.themes button');
  if (!button) return;
  event.preventDefault();
  const theme = button.value;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.querySelector('meta[name="color-scheme"]').content = theme === 'system' ? 'light dark' : theme;
  for (const other of button.form.querySelectorAll('button')) {
    other.setAttribute('aria-pressed', String(other === button));
  }
  const body = new URLSearchParams({ theme });
  // Without an answer, the choice applies to this page.
  fetch(button.form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => undefined);
});

/** Alt with J and K goes down and up a list of links, Alt with X ticks the row. */
document.addEventListener('keydown', (event) => {
  const list = document.querySelector('[data-steps]');
  if (!list || !event.altKey || event.ctrlKey || event.metaKey) return;
  const links = [...list.querySelectorAll('tbody th[scope="row"] a')];
  const at = links.findIndex((link) => link.closest('tr').contains(document.activeElement));
  const next = { KeyJ: links[at + 1], KeyK: links[Math.max(at - 1, 0)], KeyX: links[at] }[event.code];
  if (!next) return;
  event.preventDefault();
  if (event.code === 'KeyX') next.closest('tr').querySelector('input[type="checkbox"]')?.click();
  next.focus();
});

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-tick-all]');
  if (!button) return;
  const boxes = [...button.closest('tbody').querySelectorAll('input[type="checkbox"]')];
  const isToTick = boxes.some((box) => !box.checked);
  for (const box of boxes) box.checked = isToTick;
});

/** Links that fill a box instead of leading there. */
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-fill]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const box = document.getElementById(link.dataset.fill);
  if (!box) return;
  event.preventDefault();
  box.value = link.dataset.value;
  box.dispatchEvent(new Event('input', { bubbles: true }));
  box.focus();
});

document.addEventListener('click', (event) => {
  if (event.target.closest?.('[data-print]')) print();
});

/** One stop of the Tab key for each group of a report's rows; the arrow keys go from row to row. */
function groupRows(root) {
  for (const group of root.querySelectorAll('dl.fields')) {
    [...group.children].forEach((row, place) => (row.tabIndex = place === 0 ? 0 : -1));
  }
}

document.addEventListener('keydown', (event) => {
  const row = event.target.closest?.('dl.fields > .settled');
  const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key];
  if (!next) return;
  event.preventDefault();
  row.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});

/** One stop of the Tab key for each chart, at its last place; the arrow keys go from place to place. */
function groupPlaces(root) {
  for (const chart of root.querySelectorAll('.chart')) {
    const places = [...chart.querySelectorAll('.place')];
    places.forEach((place, at) => (place.tabIndex = at === places.length - 1 ? 0 : -1));
  }
}

document.addEventListener('keydown', (event) => {
  const place = event.target.closest?.('.chart .place');
  const next = { ArrowRight: place?.nextElementSibling, ArrowLeft: place?.previousElementSibling }[event.key];
  if (!next?.matches('.place')) return;
  event.preventDefault();
  place.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});

/** Choices that are remembered in this browser. */
function recallChoices(root) {
  for (const group of root.querySelectorAll('[data-remember]')) {
    const value = localStorage.getItem(group.dataset.remember);
    for (const input of group.querySelectorAll('input')) if (input.value === value) input.checked = true;
  }
}

document.addEventListener('change', (event) => {
  const group = event.target.closest?.('[data-remember]');
  if (!group) return;
  localStorage.setItem(group.dataset.remember, event.target.value);
  recallChoices(document);
});

// navigator.language need not be a language tag: "en-US@posix".
const LANGUAGE = new Intl.DateTimeFormat().resolvedOptions().locale;
const MINUTE = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
};
const MOMENT = new Intl.DateTimeFormat(LANGUAGE, MINUTE);
const SECOND = new Intl.DateTimeFormat(LANGUAGE, { ...MINUTE, second: '2-digit' });
const DAY = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'long', timeZone: 'UTC' });
const AGO = new Intl.RelativeTimeFormat(LANGUAGE);

/** Seconds of each unit, with the seconds from which the next one is clearer. */
const UNITS = [
  ['second', 1, 60],
  ['minute', 60, 3600],
  ['hour', 3600, 86400],
  ['day', 86400, 30 * 86400],
];

function agoText(at) {
  const seconds = (Date.now() - at) / 1000;
  const [unit, length] = UNITS.find(([, , until]) => Math.abs(seconds) < until) ?? [];
  return unit ? AGO.format(-Math.trunc(seconds / length), unit) : MOMENT.format(at);
}

/** Times in the zone and language of the reader: the markup has them in UTC, which stays as the title. */
function showTimes(root) {
  for (const time of root.querySelectorAll('time[data-show]')) {
    const at = new Date(time.dateTime);
    const { show } = time.dataset;
    const format = { minute: MOMENT, second: SECOND, day: DAY }[show];
    const text = format ? format.format(at) : agoText(at);
    if (time.textContent !== text) time.textContent = text;
    time.lang = LANGUAGE;
    if (show === 'ago') time.title = `${MOMENT.format(at)} (${time.title.replace(/.*\(|\)$/g, '')})`;
  }
}

/** Elements of forms that are under way, by form, until their answer is there. */
const waits = new Map();

/** Returns the element that shows that a form without a place for it is under way. */
function statusBeside(button) {
  const known = button?.parentElement.querySelector(':scope > .wait');
  if (known || !button) return known;
  const status = document.createElement('span');
  status.className = 'wait hint';
  status.setAttribute('role', 'status');
  button.after(status);
  return status;
}

function beginWait(form, button) {
  endWait(form);
  const status = document.getElementById(form.dataset.wait ?? '') ?? statusBeside(button);
  const verb = form.dataset.wait ? 'Decoding' : 'Working';
  const startMs = Date.now();
  const tell = () => {
    if (!status) return;
    const seconds = Math.floor((Date.now() - startMs) / 1000);
    status.textContent = seconds < 3 ? `${verb}.` : `${verb} for ${seconds} seconds.`;
  };
  // Unlike `disabled`, it keeps the focus.
  button?.setAttribute('aria-disabled', 'true');
  const first = setTimeout(tell, 300);
  const rest = setInterval(tell, 1000);
  waits.set(form, () => {
    clearTimeout(first);
    clearInterval(rest);
    button?.removeAttribute('aria-disabled');
    if (status) status.textContent = '';
  });
}

function endWait(form) {
  waits.get(form)?.();
  waits.delete(form);
}

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (waits.has(form)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (form.method === 'post') beginWait(form, event.submitter ?? form.querySelector('button'));
  },
  true,
);
// A page that the Back button brings again is as it was left.
addEventListener('pageshow', () => [...waits.keys()].forEach(endWait));
document.addEventListener('htmx:finally:request', (event) => endWait(event.detail.ctx.sourceElement));

/** Puts a sentence of ours in place of the answer, or under the box that was sent. */
function showFailure({ target, sourceElement }, text) {
  // A part that reloads itself every second asks again.
  if (sourceElement.tagName !== 'FORM' || !target) return;
  const fault = sourceElement.querySelector('#vin-fault');
  if (fault) {
    const says = document.createElement('p');
    says.className = 'fault';
    says.textContent = text;
    target.replaceChildren();
    fault.replaceChildren(says);
    return;
  }
  const notice = document.createElement('div');
  notice.className = 'notice bad';
  notice.setAttribute('role', 'alert');
  const says = document.createElement('p');
  says.textContent = text;
  notice.append(says);
  target.replaceChildren(notice);
}

document.addEventListener('htmx:before:response', (event) => {
  const { ctx } = event.detail;
  if (ctx.response.headers.get('marque-part') === 'yes') return;
  event.preventDefault();
  showFailure(ctx, `The service cannot be reached just now (${ctx.response.status}). Try again in a moment.`);
});

/** Puts the question of a form that only asks into the address, so that it can be shared. */
document.addEventListener('htmx:after:swap', () => {
  const form = document.querySelector('form[data-address]');
  if (!form) return;
  const given = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
  history.replaceState(null, '', form.getAttribute('action') + (given.size === 0 ? '' : `?${given}`));
});

document.addEventListener('htmx:error', (event) => {
  showFailure(event.detail.ctx, 'No answer came. Check your connection, then try again.');
});

function prepare() {
  showCopyButtons(document);
  recallChoices(document);
  groupRows(document);
  groupPlaces(document);
  showTimes(document);
  for (const button of document.querySelectorAll('[data-print], [data-needs-script]')) button.hidden = false;
}

/** Moves the focus to the part put in place: itself, or the element whose id it names. */
function focusAnswer() {
  const next = document.querySelector('[data-focus]');
  if (!next) return;
  const target = document.getElementById(next.dataset.focus) ?? next;
  next.removeAttribute('data-focus');
  // Back, and loading the page again, then bring this answer.
  if (next.dataset.at) history.replaceState(null, '', next.dataset.at);
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: target === next ? 'start' : 'nearest' });
}

// A row of tabs that is too long for a phone begins where the reader is.
document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

prepare();
document.addEventListener('htmx:after:swap', prepare);
document.addEventListener('htmx:after:swap', focusAnswer);
