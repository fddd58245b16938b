// The reference's own script: the filter of its sidebar, and requests that readers send with a key of theirs.
'use strict';

for (const nav of document.querySelectorAll('[data-filter]')) {
  const box = nav.querySelector('[data-filter-box]');
  const input = box.querySelector('input');
  const status = box.querySelector('[role="status"]');
  const entries = [...nav.querySelectorAll('[data-terms]')];
  box.hidden = false;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    nav.classList.toggle('filtering', words.length > 0);
    let shown = 0;
    for (const entry of entries) {
      const terms = entry.dataset.terms.toLowerCase();
      entry.hidden = !words.every((word) => terms.includes(word));
      if (!entry.hidden) shown += 1;
    }
    for (const section of nav.querySelectorAll(':scope > ul > li')) {
      section.hidden = words.length > 0 && !section.querySelector('[data-terms]:not([hidden])');
    }
    status.textContent = words.length === 0 ? '' : `${shown} found`;
  });
}

/** Opens what the address names, where the browser does not, and marks it in the sidebar. */
function showTarget() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  const fold = target?.closest('details.operation');
  if (fold) fold.open = true;
  for (const link of document.querySelectorAll('.sidebar ul ul a')) {
    if (!fold || link.hash !== location.hash) {
      link.removeAttribute('aria-current');
      continue;
    }
    link.setAttribute('aria-current', 'true');
    // The sidebar alone scrolls, not the page.
    const sidebar = link.closest('.sidebar');
    const [top, bottom] = [sidebar.scrollTop, sidebar.scrollTop + sidebar.clientHeight - link.offsetHeight];
    if (link.offsetTop < top || link.offsetTop > bottom) sidebar.scrollTop = link.offsetTop - sidebar.clientHeight / 2;
  }
}

addEventListener('hashchange', showTarget);
showTarget();

// The address follows what is opened, so that it can be sent on.
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
  // Only the key counts, not who is signed in to the pages.
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
