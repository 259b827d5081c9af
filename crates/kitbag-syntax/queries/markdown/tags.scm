; Markdown. Sections nest by heading level, so the holders of a section are its heading path. Headings inside quotes and
; lists are not the document's. Underlined headings open no section in this grammar, so levels are counted by us.

(document (section (atx_heading (atx_h1_marker) heading_content: (_) @name) @heading.1))
(document (section (atx_heading (atx_h2_marker) heading_content: (_) @name) @heading.2))
(document (section (atx_heading (atx_h3_marker) heading_content: (_) @name) @heading.3))
(document (section (atx_heading (atx_h4_marker) heading_content: (_) @name) @heading.4))
(document (section (atx_heading (atx_h5_marker) heading_content: (_) @name) @heading.5))
(document (section (atx_heading (atx_h6_marker) heading_content: (_) @name) @heading.6))
(section (section (atx_heading (atx_h2_marker) heading_content: (_) @name) @heading.2))
(section (section (atx_heading (atx_h3_marker) heading_content: (_) @name) @heading.3))
(section (section (atx_heading (atx_h4_marker) heading_content: (_) @name) @heading.4))
(section (section (atx_heading (atx_h5_marker) heading_content: (_) @name) @heading.5))
(section (section (atx_heading (atx_h6_marker) heading_content: (_) @name) @heading.6))
(document (section (setext_heading heading_content: (paragraph (inline) @name) (setext_h1_underline)) @heading.1))
(document (section (setext_heading heading_content: (paragraph (inline) @name) (setext_h2_underline)) @heading.2))
(section (section (setext_heading heading_content: (paragraph (inline) @name) (setext_h1_underline)) @heading.1))
(section (section (setext_heading heading_content: (paragraph (inline) @name) (setext_h2_underline)) @heading.2))

; Fences, tables and blocks of HTML are not cut where they fit in a chunk.
(fenced_code_block (info_string (language) @label)) @keep
(fenced_code_block !info_string) @keep
(pipe_table) @keep
(html_block) @keep
