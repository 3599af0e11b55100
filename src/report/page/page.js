
"use strict";
{
  const all = (selector, of = document) => [...of.querySelectorAll(selector)];
  // Without a script the page shows all there is; with one its rows can be searched and sorted.
  const list = document.getElementById("rows");
  if (list) {
    const rows = [...list.children];
    const names = rows.map(row => all(".name", row).map(name => name.textContent.toLowerCase()).join("\n"));
    const [search, order, count] = ["search", "order", "count"].map(id => document.getElementById(id));
    const filters = all("select.filter");
    const show = () => {
      const wanted = search.value.toLowerCase();
      let shown = 0;
      rows.forEach((row, at) => {
        const fits = names[at].includes(wanted) && filters.every(one => !one.value || row.dataset[one.id] === one.value);
        row.hidden = !fits;
        shown += fits;
      });
      count.value = shown === rows.length ? `${shown} shown` : `${shown} of ${rows.length} shown`;
    };
    const sort = () => {
      const [key, sign] = [order.value.slice(1), order.value[0] === "-" ? -1 : 1];
      const sorted = key ? [...rows].sort((a, b) => sign * (a.dataset[key] - b.dataset[key])) : rows;
      const sortedRows = document.createDocumentFragment();
      sorted.forEach(row => sortedRows.append(row));
      list.append(sortedRows);
    };
    search.addEventListener("input", show);
    filters.forEach(one => one.addEventListener("change", show));
    order?.addEventListener("change", sort);
    document.querySelector(".controls").hidden = rows.length < 2;
    show();
  }
  // A file that was opened from a disk may have no clipboard: an older way takes what is selected.
  const copy = async text => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const copied = document.execCommand("copy");
      area.remove();
      if (!copied) throw new Error("the browser does not allow it");
    }
  };
  // The bytes of a result that is text: what is shown has signs for what cannot be seen.
  const saved = button => {
    const link = all("a[download]", button.closest("section")).pop();
    const bytes = Uint8Array.from(atob(link.href.split(",")[1]), char => char.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  };
  for (const button of all("button.copy")) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const shown = button.parentElement.querySelector("pre code");
      let said = "Copied";
      try {
        await copy(shown ? shown.textContent : saved(button));
      } catch {
        said = "Not copied";
      }
      button.textContent = said;
      setTimeout(() => { button.textContent = label; }, 1500);
    });
  }
}
