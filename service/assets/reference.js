// The reference's own script: the keys of its search, and requests that readers send with a key of theirs.
'use strict';

const searchBox = document.querySelector('[data-search]');
const found = document.getElementById(searchBox?.dataset.search ?? '');
for (const hint of document.querySelectorAll('.search kbd')) hint.hidden = false;

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!searchBox || event.target.closest?.('input, textarea, select')) return;
  event.preventDefault();
  searchBox.focus();
  searchBox.select();
});

/** The arrow keys go through the results, and Escape ends the search. */
searchBox?.form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && searchBox.value !== '') {
    event.preventDefault();
    searchBox.value = '';
    // Else they would show again at the first letter of the next search.
    found.replaceChildren();
    searchBox.focus();
    searchBox.dispatchEvent(new Event('input', { bubbles: true }));
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const stops = [searchBox, ...found.querySelectorAll('li a')];
  const next = stops[stops.indexOf(document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// Results that arrive while the reader is choosing would take the focus away; those of a text that Escape has emptied
// since would show under an empty box.
document.addEventListener('htmx:before:swap', (event) => {
  const { sourceElement, request } = event.detail.ctx;
  if (sourceElement !== searchBox) return;
  const isLate = searchBox.value === '' && new URL(request.action, location).searchParams.get('q') !== '';
  if (isLate || found.contains(document.activeElement)) event.preventDefault();
});

/** Opens the part that the address names, if the browser does not, and marks it in the sidebar. */
function showTarget() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  const fold = target?.closest('details.operation');
  const anchor = fold && `#${fold.querySelector('[id]').id}`;
  if (fold && !fold.open) {
    fold.open = true;
    target.scrollIntoView();
  }
  for (const link of document.querySelectorAll('.sidebar ul ul a')) {
    if (!fold || link.hash !== anchor) {
      link.removeAttribute('aria-current');
      continue;
    }
    link.setAttribute('aria-current', 'true');
    // The sidebar alone scrolls, not the page.
    const sidebar = link.closest('nav');
    const [top, bottom] = [sidebar.scrollTop, sidebar.scrollTop + sidebar.clientHeight - link.offsetHeight];
    if (link.offsetTop < top || link.offsetTop > bottom) sidebar.scrollTop = link.offsetTop - sidebar.clientHeight / 2;
  }
}

addEventListener('hashchange', showTarget);
showTarget();

// The address follows the opened part, so that it can be shared.
document.addEventListener('click', (event) => {
  const fold = event.target.closest?.('details.operation > summary')?.parentElement;
  if (!fold || fold.open) return;
  history.replaceState(null, '', `#${fold.querySelector('[id]').id}`);
  showTarget();
  // The click itself would close it again.
  event.preventDefault();
});

const KEY = 'marque-key';
const MOST_SHOWN = 100_000;

function keyBoxes() {
  return document.querySelectorAll('[data-run] input[name="key"]');
}

for (const details of document.querySelectorAll('[data-run]')) {
  details.hidden = false;
  details.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    void run(event.target);
  });
}
for (const box of keyBoxes()) {
  box.value = sessionStorage.getItem(KEY) ?? '';
  box.addEventListener('input', () => {
    sessionStorage.setItem(KEY, box.value);
    for (const other of keyBoxes()) other.value = box.value;
  });
}

function requestOf(form) {
  const fields = new FormData(form);
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const [name, value] of fields) {
    const [place, parameter] = name.split(/:(.*)/s);
    if (place === 'path') path = path.replace(`{${parameter}}`, encodeURIComponent(value));
    if (place === 'query' && value !== '') query.set(parameter, value);
  }
  const headers = {};
  if (fields.get('key')) headers['x-api-key'] = fields.get('key').trim();
  if (form.dataset.type) headers['content-type'] = form.dataset.type;
  const body = form.dataset.type ? fields.get('body') : undefined;
  const url = query.size === 0 ? path : `${path}?${query}`;
  // Only the key counts, not the person signed in to the pages.
  return [url, { method: form.dataset.method, headers, body, credentials: 'omit' }];
}

async function run(form) {
  const button = form.querySelector('button');
  if (button.getAttribute('aria-disabled') === 'true') return;
  const status = form.querySelector('[data-run-status]');
  const answer = form.querySelector('[data-run-answer]');
  button.setAttribute('aria-disabled', 'true');
  status.textContent = 'Running.';
  const startMs = performance.now();
  const wait = setInterval(() => {
    const seconds = Math.floor((performance.now() - startMs) / 1000);
    if (seconds >= 3) status.textContent = `Running for ${seconds} seconds.`;
  }, 1000);
  try {
    const response = await fetch(...requestOf(form));
    const text = await response.text();
    const shown = indented(text);
    status.textContent = `HTTP ${response.status} in ${Math.round(performance.now() - startMs)} ms`;
    answer.textContent = shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}\n… cut here` : shown;
    answer.hidden = false;
  } catch {
    status.textContent = 'No answer came. Check your connection, then run it again.';
    answer.hidden = true;
  } finally {
    clearInterval(wait);
    button.removeAttribute('aria-disabled');
  }
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
