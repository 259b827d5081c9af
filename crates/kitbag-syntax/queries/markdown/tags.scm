; Markdown. Sections nest by heading level, so the holders of a section are its heading path. Headings inside quotes and
; lists are not the document's. Underlined headings open no section in this grammar.

(document (section (atx_heading heading_content: (_) @name)) @definition.section)
(section (section (atx_heading heading_content: (_) @name)) @definition.section)
(section (setext_heading heading_content: (_) @name) @heading)
